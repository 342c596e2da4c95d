/**
 * Emits the declarations of the entries and what they reach, and nothing else. Relative imports get the `.js` that Node's resolution wants;
 * an import of anything but react would be a type that a dapp cannot resolve, so it ends the build.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'

const root = new URL('..', import.meta.url).pathname
const entries = ['index.d.ts', 'react.d.ts', 'elements/index.d.ts']
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
const emitted = mkdtempSync(join(tmpdir(), 'postern-types-'))

try {
  execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', emitted], {
    stdio: 'inherit',
  })
  const seen = new Set(entries)
  for (const file of seen) {
    const text = readFileSync(join(emitted, file), 'utf8').replace(
      /(from\s+|import\()(['"])([^'"]+)\2/g,
      (whole, before, quote, specifier) => {
        if (/^react(\/|$)/.test(specifier)) return whole
        if (!specifier.startsWith('.')) throw new Error(`${file} needs ${specifier}, which a dapp does not have`)
        const target = posix.join(posix.dirname(file), specifier)
        seen.add(`${target}.d.ts`)
        return `${before}${quote}${specifier}.js${quote}`
      },
    )
    const out = join(root, 'dist', file)
    mkdirSync(dirname(out), { recursive: true })
    writeFileSync(out, text)
  }
} finally {
  rmSync(emitted, { recursive: true })
}
