/**
 * Checks types of each workspace, and of everything with the root's configuration.
 * Each workspace's shipped code has its own platform's types, so that no iframe uses `Buffer` and the gateway no
 * `document`. A workspace without a `tsconfig.json` is an error.
 */
import { existsSync, readdirSync } from 'node:fs'
import { run } from './lib/process'
import { command } from './lib/step'
import { typescript } from './lib/typescript'

const workspaces = ['packages', 'apps']
  .flatMap((parent) => readdirSync(parent).map((name) => `${parent}/${name}`))
  .filter((folder) => existsSync(`${folder}/package.json`))

await command(async () => {
  for (const project of ['tsconfig.json', ...workspaces]) await run(process.execPath, [typescript, '-p', project])
})
