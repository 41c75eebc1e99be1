"""`load_config`, as scripts that are called with a YAML file of settings use it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from housemates.errors import HousematesError
from housemates.files import read_text


def load_config() -> dict[str, Any]:
    """The settings of the YAML file that the command line names; `-p a.b=value` changes one."""
    try:
        import yaml
    except ImportError:
        raise HousematesError("load_config needs the package pyyaml: pip install pyyaml.") from None
    parser = argparse.ArgumentParser()
    parser.add_argument("config_file", type=Path, help="The YAML file of settings.")
    parser.add_argument("-p", "--params", nargs="+", metavar="my.setting=value", default=[])
    given = parser.parse_args()
    config: dict[str, Any] = yaml.safe_load(read_text(given.config_file))
    for param in given.params:
        name, _, value = param.partition("=")
        *folders, last = name.split(".")
        entry = config
        for folder in folders:
            entry = entry[folder]
        entry[last] = value
    return config
