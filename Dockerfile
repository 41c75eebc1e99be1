# The studio, or any other command of Housemates, for a user who is not root. docs/container.md tells how to run it.
FROM python:3.13-slim AS build
WORKDIR /build
COPY requirements/demo.txt requirements/demo.txt
RUN python -m venv /opt/housemates \
    && /opt/housemates/bin/pip install --no-cache-dir --require-hashes --requirement requirements/demo.txt
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN /opt/housemates/bin/pip install --no-cache-dir --no-deps .

FROM python:3.13-slim
RUN useradd --uid 10001 --create-home housemates \
    && install --directory --owner housemates /data
COPY --from=build /opt/housemates /opt/housemates
ENV PATH=/opt/housemates/bin:$PATH \
    NUMBA_CACHE_DIR=/home/housemates/.cache/numba \
    PYTHONUNBUFFERED=1
USER housemates
WORKDIR /data
RUN housemates scenes render kitchen-03 --out /home/housemates/compiled
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/health', timeout=4)"]
ENTRYPOINT ["housemates"]
CMD ["studio", "--host", "0.0.0.0", "--db", "sqlite:////data/studio.sqlite"]
