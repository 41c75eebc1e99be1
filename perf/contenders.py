"""The renderers that perf/render.py compares: each takes the same triangles and poses and gives a picture.

A contender is a function `(scene, size) -> draw`, and `draw(pose)` returns RGB, instance ids and depth
(minigrid, which has no such thing, only RGB). Pictures are read back into numpy arrays.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np


class Pose(NamedTuple):
    """Where a camera is, as Camera has it."""

    position: tuple[float, float, float]
    rotation: float
    horizon: float


class Triangles(NamedTuple):
    """Corners (T, 3, 3), counter-clockwise as seen, colours 0..1 (T, 3) and thing numbers (T,)."""

    corners: np.ndarray
    colours: np.ndarray
    things: np.ndarray


Draw = Callable[[Pose], Any]
FOV, NEAR, FAR = 90.0, 0.02, 20.0


def moderngl(scene: Triangles, size: int) -> Draw:
    """OpenGL on llvmpipe, one thread, two targets and the depth buffer."""
    os.environ["LP_NUM_THREADS"] = "0"
    import moderngl

    context = moderngl.create_context(standalone=True, backend="egl", require=330)
    program = context.program(
        vertex_shader="""#version 330
            uniform mat4 view; in vec3 place; in vec3 tint; in uint thing;
            flat out vec3 colour; flat out uint number;
            void main() { gl_Position = view * vec4(place, 1.0); colour = tint; number = thing; }""",
        fragment_shader="""#version 330
            flat in vec3 colour; flat in uint number;
            layout(location = 0) out vec3 rgb; layout(location = 1) out uint id;
            void main() { rgb = colour; id = number; }""",
    )
    rows = np.zeros(len(scene.corners) * 3, [("place", "f4", 3), ("tint", "f4", 3), ("thing", "u4")])
    rows["place"] = scene.corners.reshape(-1, 3)
    rows["tint"] = np.repeat(scene.colours, 3, axis=0)
    rows["thing"] = np.repeat(scene.things, 3)
    shape = context.vertex_array(
        program, [(context.buffer(rows.tobytes()), "3f 3f 1u", "place", "tint", "thing")]
    )
    targets = [context.texture((size, size), 3), context.texture((size, size), 1, dtype="u4")]
    depth_target = context.depth_texture((size, size))
    canvas = context.framebuffer(targets, depth_target)
    canvas.use()
    context.enable(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
    rgb = np.empty((size, size, 3), np.uint8)
    ids = np.empty((size, size), np.uint32)
    depth = np.empty((size, size), np.float32)

    def draw(pose: Pose) -> tuple[np.ndarray, ...]:
        canvas.clear(0.88, 0.89, 0.9)
        program["view"].write((projection() @ view(pose)).T.astype("f4").tobytes())
        shape.render()
        canvas.read_into(rgb, components=3, attachment=0, alignment=1)
        canvas.read_into(ids, components=1, attachment=1, dtype="u4")
        canvas.read_into(depth, components=1, attachment=-1, dtype="f4")
        return rgb, ids, depth

    return draw


def mujoco(scene: Triangles, size: int) -> Draw:
    """MuJoCo's own renderer (OpenGL, EGL), which draws once for each of the three pictures."""
    os.environ.setdefault("MUJOCO_GL", "egl")
    os.environ["LP_NUM_THREADS"] = "0"
    import mujoco

    spec = mujoco.MjSpec()
    spec.visual.global_.fovy = FOV
    spec.visual.map.znear, spec.visual.map.zfar = NEAR, FAR
    spec.stat.extent = 1.0
    spec.visual.global_.offwidth = spec.visual.global_.offheight = size
    for number in np.unique(scene.things):
        chosen = scene.things == number
        corners = to_right_handed(scene.corners[chosen])
        points, faces = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
        name = f"thing{number}"
        spec.add_mesh(
            name=name,
            uservert=points.ravel().tolist(),
            userface=faces.reshape(-1).tolist(),
            inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
        )
        spec.worldbody.add_geom(
            type=mujoco.mjtGeom.mjGEOM_MESH,
            meshname=name,
            rgba=[*scene.colours[chosen].mean(axis=0), 1.0],
            contype=0,
            conaffinity=0,
        )
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    renderer = mujoco.Renderer(model, size, size)
    camera = mujoco.MjvCamera()

    def draw(pose: Pose) -> list[np.ndarray]:
        camera.lookat[:] = to_right_handed(np.array(pose.position) + axes(pose)[2])
        camera.distance = 1.0
        camera.azimuth = 90.0 - pose.rotation
        camera.elevation = -pose.horizon
        pictures = []
        for mode in ("rgb", "segmentation", "depth"):
            renderer.disable_segmentation_rendering()
            renderer.disable_depth_rendering()
            if mode != "rgb":
                getattr(renderer, f"enable_{mode}_rendering")()
            renderer.update_scene(data, camera)
            pictures.append(renderer.render())
        return pictures

    return draw


def pybullet(scene: Triangles, size: int) -> Draw:
    """Bullet's software renderer (TinyRenderer), three pictures in one call."""
    import pybullet

    client = pybullet.connect(pybullet.DIRECT)
    for number in np.unique(scene.things):
        chosen = scene.things == number
        corners = to_right_handed(scene.corners[chosen])
        points, faces = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
        shape = pybullet.createVisualShape(
            pybullet.GEOM_MESH,
            vertices=points.tolist(),
            indices=faces.reshape(-1).tolist(),
            rgbaColor=[*scene.colours[chosen].mean(axis=0), 1.0],
        )
        pybullet.createMultiBody(baseVisualShapeIndex=shape)
    lens = pybullet.computeProjectionMatrixFOV(FOV, 1.0, NEAR, FAR)

    def draw(pose: Pose) -> Any:
        eye = np.array(pose.position)
        _, up, forward = axes(pose)
        matrix = pybullet.computeViewMatrix(
            to_right_handed(eye).tolist(),
            to_right_handed(eye + forward).tolist(),
            to_right_handed(up).tolist(),
        )
        return pybullet.getCameraImage(
            size, size, matrix, lens, renderer=pybullet.ER_TINY_RENDERER, shadow=0, physicsClientId=client
        )

    return draw


def minigrid(scene: Triangles, size: int) -> Draw:
    """A grid world's picture from above, for scale: RGB only, another scene."""
    import gymnasium
    import minigrid

    gymnasium.register_envs(minigrid)

    env = gymnasium.make("MiniGrid-FourRooms-v0", render_mode="rgb_array", tile_size=max(1, size // 19))
    env.reset(seed=0)

    def draw(pose: Pose) -> Any:
        env.step(int(pose.rotation) % 3)
        return env.render()

    return draw


PEERS = {"moderngl": moderngl, "mujoco": mujoco, "pybullet": pybullet, "minigrid": minigrid}


def axes(pose: Pose) -> np.ndarray:
    """Right, up and forward of a pose, as rows."""
    turn, tilt = np.radians(pose.rotation), np.radians(pose.horizon)
    sine, cosine, down, level = np.sin(turn), np.cos(turn), np.sin(tilt), np.cos(tilt)
    return np.array(
        [[cosine, 0, -sine], [sine * down, level, cosine * down], [sine * level, -down, cosine * level]]
    )


def view(pose: Pose) -> np.ndarray:
    """World to camera, as OpenGL wants it (the camera looks along -z)."""
    right, up, forward = axes(pose)
    matrix = np.eye(4)
    matrix[:3, :3] = [right, up, -forward]
    matrix[:3, 3] = -matrix[:3, :3] @ pose.position
    return matrix


def projection() -> np.ndarray:
    """Camera to clip space for a square picture."""
    focal = 1.0 / np.tan(np.radians(FOV) / 2)
    matrix = np.zeros((4, 4))
    matrix[0, 0] = matrix[1, 1] = focal
    matrix[2, 2], matrix[2, 3] = (FAR + NEAR) / (NEAR - FAR), 2 * FAR * NEAR / (NEAR - FAR)
    matrix[3, 2] = -1.0
    return matrix


def to_right_handed(points: np.ndarray) -> np.ndarray:
    """Our left-handed y-up points with z up: x, z, y."""
    return np.asarray(points)[..., [0, 2, 1]]
