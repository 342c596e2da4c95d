/**
 * Emits only the entries' declarations and what they import. Relative imports get `.js` for Node.
 * An import outside `external` fails the build: users could not resolve it.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'

/**
 * @param {string} root the package's folder, with a `tsconfig.build.json`; its `dist` gets the declarations
 * @param {readonly string[]} entries the entries' declarations: `['index.d.ts', 'react.d.ts']`
 * @param {RegExp} external modules that users of the package have, or that come with it
 */
export function emitDeclarations(root, entries, external) {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const emitted = mkdtempSync(join(tmpdir(), 'postern-types-'))
  const fileOf = (target) => (existsSync(join(emitted, `${target}.d.ts`)) ? target : `${target}/index`)
  try {
    execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', emitted], {
      stdio: 'inherit',
    })
    const seen = new Set(entries)
    for (const file of seen) {
      const text = readFileSync(join(emitted, file), 'utf8').replace(
        /(from\s+|import\()(['"])([^'"]+)\2/g,
        (whole, before, quote, specifier) => {
          if (external.test(specifier)) return whole
          if (!specifier.startsWith('.')) throw new Error(`${file} needs ${specifier}, which a dapp does not have`)
          const target = fileOf(posix.join(posix.dirname(file), specifier))
          seen.add(`${target}.d.ts`)
          const written = posix.relative(posix.dirname(file), target)
          return `${before}${quote}${written.startsWith('.') ? written : `./${written}`}.js${quote}`
        },
      )
      const out = join(root, 'dist', file)
      mkdirSync(dirname(out), { recursive: true })
      writeFileSync(out, text)
    }
  } finally {
    rmSync(emitted, { recursive: true })
  }
}
