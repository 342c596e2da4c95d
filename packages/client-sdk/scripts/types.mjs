import { fileURLToPath } from 'node:url'
import { emitDeclarations } from '../../../scripts/lib/declarations.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
emitDeclarations(
  root,
  [
    'index.d.ts',
    'react.d.ts',
    'vue.d.ts',
    'svelte.d.ts',
    'server/index.d.ts',
    'connectors/index.d.ts',
    'elements/index.d.ts',
  ],
  /^(react|vue|svelte)(\/|$)/,
)
