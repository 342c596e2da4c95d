import { describe, expect, it } from 'vitest'
import { definedNames, namesTaken } from './names-taken'

describe('namesTaken', () => {
  it('returns the names imported from that source', () => {
    const code = `import { a, b as c } from "@postern/protocol";\nimport { d } from './d'\nimport {\n  e,\n} from '@postern/protocol'`
    expect(namesTaken(code, '@postern/protocol')).toEqual(['a', 'b', 'e'])
  })
})

describe('definedNames', () => {
  it('returns names exported at their definition, and namespace re-exports', () => {
    const code =
      'export const a = 1;\nconst b = 2;\nexport async function c() {}\nexport class D {}\nexport * from "./e";export * as f from "./f";'
    expect([...definedNames(code)]).toEqual(['a', 'c', 'D', 'f'])
  })
})
