/** The templates are the repository's examples. */
import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const examples = fileURLToPath(new URL('../../../examples', import.meta.url))
const templates = fileURLToPath(new URL('../dist/templates', import.meta.url))
const isBuilt = /[\\/](?:node_modules|dist|build|\.next|\.nuxt|\.output|\.svelte-kit|\.angular|README\.md)$/

rmSync(templates, { recursive: true, force: true })
cpSync(examples, templates, { recursive: true, filter: (from) => !isBuilt.test(from) })
