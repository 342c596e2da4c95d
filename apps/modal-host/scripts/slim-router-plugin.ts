/**
 * Lets the bundler leave out what of react-router nothing uses. Its browser components (links, forms, fetchers) stand at the top
 * level as `forwardRef(…)` followed by `X.displayName = …`, which no bundler dares to drop; the modal has no links of that kind.
 * Source: react-router 7 ships one chunk for all of its modes.
 */
import type { Plugin } from 'vite'

export function slimRouterPlugin(): Plugin {
  return {
    name: 'postern-slim-router',
    apply: 'build',
    transform: {
      filter: { id: /\/react-router\/dist\/.*\.mjs$/ },
      handler: (code) => ({ code: slimRouter(code), map: null }),
    },
  }
}

export function slimRouter(code: string): string {
  return code
    .replaceAll(/^\w+\.displayName = "[^"]*";$/gm, '')
    .replaceAll(/= (React\d*\.(?:forwardRef|createContext|memo)\()/g, '= /* @__PURE__ */ $1')
}
