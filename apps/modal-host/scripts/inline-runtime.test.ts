import { expect, it } from 'vitest'
import { withRuntime } from './inline-runtime'

const runtime = 'var e=x=>x+1,t=x=>x*2;export{t as n,e as r};'

it('inlines the runtime parts that the entry imports, under their imported names', async () => {
  const entry = 'import{n,r as o}from"./rolldown-runtime-abc.js";var e=n(2)+o(3);export{e as made};'
  const code = withRuntime(entry, 'assets/rolldown-runtime-abc.js', runtime)
  expect(await import(`data:text/javascript,${encodeURIComponent(code)}`)).toMatchObject({ made: 8 })
})

it("fails the build if the bundler's output has another form", () => {
  expect(() => withRuntime('import"./rolldown-runtime-abc.js";', 'assets/rolldown-runtime-abc.js', runtime)).toThrow(
    'new',
  )
})
