FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY . .
# Without the optional packages: the image has a Node, and its database is another container's.
RUN NODE_ENV=production npx vite build --config web/vite.config.ts \
  && npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build --chown=root:root /app /app
# A new volume takes the owner of the folder it is mounted on.
RUN mkdir -m 700 /var/lib/certificates-keys && chown node:node /var/lib/certificates-keys
USER node
# One image for every process: by itself the whole product in one, and what docker-compose.yml names in `command`
# instead.
ENV NODE_ENV=production SKIP_WEB_BUILD=1 NODE_NO_WARNINGS=1
# The limits of each process's heap, as `npm start` sets them (docs/operations/capacity.md).
ENV NODE_OPTIONS="--max-old-space-size=1024 --max-semi-space-size=8"
# The commands of the manual run here as well (`npm run doctor`): the image has its packages, and npm writes nowhere
# else.
ENV SKIP_INSTALL=1 NPM_CONFIG_CACHE=/tmp/.npm NPM_CONFIG_LOGS_MAX=0 NPM_CONFIG_UPDATE_NOTIFIER=false
EXPOSE 3000 3001 9100
CMD ["node", "services/composition/processes/product.ts"]
