import { fileURLToPath } from 'node:url'
import { emitDeclarations } from '../../../scripts/lib/declarations.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const entries = ['wallets/index.d.ts', 'modal/index.d.ts', 'playwright/index.d.ts']
emitDeclarations(root, entries, /^(@postern\/client|playwright-core)$/)
