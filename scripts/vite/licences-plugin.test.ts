import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { licencesText, packageFolder } from './licences-plugin'

it('finds the package of a module, also a nested one and with a query', () => {
  expect(packageFolder('/a/node_modules/react/cjs/react.js')).toBe('/a/node_modules/react')
  expect(packageFolder('/a/node_modules/x/node_modules/@y/z/i.js?raw')).toBe('/a/node_modules/x/node_modules/@y/z')
  expect(packageFolder('\0/a/node_modules/react/index.js?commonjs-module')).toBe('/a/node_modules/react')
})

it('ignores modules that are not in a package', () => {
  expect(packageFolder('/a/packages/ui/src/button.tsx')).toBeNull()
  expect(packageFolder('\0rolldown/runtime.js')).toBeNull()
})

it('lists name, version, licence and text, sorted by name', () => {
  const text = licencesText(['node_modules/zod', 'node_modules/react'])
  expect(text).toMatch(/^react \d+\.\d+\.\d+\nLicence: MIT\n\nMIT License/)
  expect(text).toMatch(/\n-{80}\n\nzod \d/)
})

it('fails with the name of a package without a licence text', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'postern-licences-'))
  writeFileSync(path.join(folder, 'package.json'), '{"name":"unmarked","version":"1.0.0","license":"MIT"}')
  expect(() => licencesText([folder])).toThrow('unmarked 1.0.0 contains no licence text')
})
