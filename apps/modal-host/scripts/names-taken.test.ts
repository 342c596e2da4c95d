import { describe, expect, it } from 'vitest'
import { definedNames, namesTaken } from './names-taken'

describe('what a module takes', () => {
  it('is what it imports by name from that source', () => {
    const code = `import { a, b as c } from "@postern/protocol";\nimport { d } from './d'\nimport {\n  e,\n} from '@postern/protocol'`
    expect(namesTaken(code, '@postern/protocol')).toEqual(['a', 'b', 'e'])
  })
})

describe('what a module defines', () => {
  it('is what it exports under its own hand, and a namespace that it makes', () => {
    const code =
      'export const a = 1;\nconst b = 2;\nexport async function c() {}\nexport class D {}\nexport * from "./e";export * as f from "./f";'
    expect([...definedNames(code)]).toEqual(['a', 'c', 'D', 'f'])
  })
})
