import { fileURLToPath } from 'node:url'
import { emitDeclarations } from '../../../scripts/lib/declarations.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
emitDeclarations(root, ['index.d.ts'], /^(@postern\/client|@wagmi\/core)$/)
