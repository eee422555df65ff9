# Portrayal on a processor: docker build -t portrayal . && docker run --rm -v "$PWD:/data" portrayal demo
FROM python:3.13-slim
RUN useradd --create-home portrayal && mkdir /data && chown portrayal /data
COPY pyproject.toml README.md LICENSE /src/
COPY src /src/src
RUN pip install --no-cache-dir "/src[faces,api,web,graph]"
USER portrayal
WORKDIR /data
ENTRYPOINT ["portrayal"]
CMD ["--help"]
