import { spawnSync } from 'node:child_process'
import { findPostgres } from '../src/testing/postgres'

const installed = findPostgres()
if (installed === null) {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  for (const words of [
    ['apt-get', 'update'],
    ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', 'install', '-y', '--no-install-recommends', 'postgresql'],
  ]) {
    const [command = '', ...args] = [...sudo, ...words]
    if (spawnSync(command, args, { stdio: 'inherit' }).status !== 0) {
      console.error('PostgreSQL could not be installed: install the package `postgresql` by hand.')
      process.exit(1)
    }
  }
}
console.log(`PostgreSQL: ${findPostgres() ?? 'not found'}`)
