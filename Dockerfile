FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npx vite build --config web/vite.config.ts && npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build --chown=root:root /app /app
RUN mkdir -p /var/lib/certificates/data /var/lib/certificates-keys && chown -R node:node /var/lib/certificates /var/lib/certificates-keys
USER node
ENV NODE_ENV=production SKIP_WEB_BUILD=1
CMD ["node", "services/main.ts"]
