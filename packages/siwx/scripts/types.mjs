import { fileURLToPath } from 'node:url'
import { emitDeclarations } from '../../../scripts/lib/declarations.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
emitDeclarations(root, ['index.d.ts', 'server/index.d.ts', 'verifiers/index.d.ts'], /^jose$/)
