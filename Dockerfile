# The program and its pages (`--target lode`), and the object store of docker-compose.yml with a bucket (`--target s3`).
FROM versity/versitygw:v1.8.0 AS s3
# A bucket is a folder there. A volume that is new takes owner and content from here.
RUN mkdir -p /data/lode && chown -R 1000:1000 /data
USER 1000:1000

FROM node:24.21.0-slim AS node
WORKDIR /lode

FROM node AS packages
COPY package.json package-lock.json .npmrc ./
# Not by `npm ci`: it refuses a lock file that has another platform's optional packages left out.
RUN npm install --no-save --omit=dev

FROM packages AS build
RUN npm install --no-save
COPY .swcrc nest-cli.json tsconfig.json ./
COPY libs libs
COPY services services
COPY web web
RUN npm run build && npm run web:build

FROM node AS lode
COPY package.json ./
COPY --from=packages /lode/node_modules node_modules
COPY --from=build /lode/dist dist
COPY --from=build /lode/web/dist web/dist
# The command line.
RUN printf '#!/bin/sh\nexec node --enable-source-maps --disable-warning=ExperimentalWarning /lode/dist/services/lode/cli/main.js "$@"\n' \
    >/usr/local/bin/lode && chmod 755 /usr/local/bin/lode
# The folder of what is kept beside the engines. A volume that is new takes its owner.
RUN mkdir /data && chown node:node /data
ENV NODE_ENV=production LODE_HOST=0.0.0.0 LODE_DATA=/data
USER node
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=5s --retries=24 \
  CMD ["node", "--eval", "fetch(`http://localhost:${process.env.PORT ?? 3000}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "--disable-warning=ExperimentalWarning", "dist/services/lode/main.js"]
