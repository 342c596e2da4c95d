/**
 * Entry point of every root command: `node scripts/run.mjs <command>`.
 * It needs no dependencies, for a fresh clone: checks Node, installs missing packages from the lock file, then loads
 * the command.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Postern needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

const stamp = 'node_modules/.postern-installed'
const digest = () => createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== digest()) {
  const began = performance.now()
  // `npm ci` needs the builds of every platform's optional packages, which not every registry has. --no-save keeps the
  // lock
  // file and its versions.
  console.log('· Installing packages (npm install)')
  const { status, stdout, stderr } = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund'], {
    encoding: 'utf8',
  })
  if (status !== 0) {
    console.error(`${stdout}\n${stderr}\nnpm could not install the packages. Fix the errors above and try again.`)
    process.exit(1)
  }
  writeFileSync(stamp, digest())
  console.log(`✓ Installed packages  ${((performance.now() - began) / 1000).toFixed(1)} s`)
}

const { register } = await import('tsx/esm/api')
register()
await import(new URL(`./${process.argv[2]}.ts`, import.meta.url).href)
