// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { readScriptOptions } from '../../../../packages/client-sdk/src/script/options'
import { codeOf, literal, stacks } from './code'
import { controlsOf, groups, languages, options, optionsOf, type Values } from './controls'

const changed: Values = {
  projectId: 'shop',
  host: 'https://modal.example',
  networks: ['base', 'solana'],
  moreNetworks: ['gnosis'],
  'theme.mode': 'dark',
  'theme.accent': '#aa0000',
  'theme.radius': 0.5,
  'features.swaps': false,
  'features.socials': [],
  featuredWallets: ['io.metamask'],
  connectMethodsOrder: ['wallet', 'email'],
  prewarm: 'off',
}
const chosen = {
  projectId: 'shop',
  host: 'https://modal.example',
  networks: ['base', 'solana', 'gnosis'],
  theme: { mode: 'dark', accent: '#aa0000', radius: 0.5 },
  features: { swaps: false, socials: [] },
  featuredWallets: ['io.metamask'],
  connectMethodsOrder: ['wallet', 'email'],
  prewarm: 'off',
}

describe('the options', () => {
  it('are what is required, and what differs from its default', () => {
    expect(optionsOf({})).toEqual({ projectId: 'dev', host: 'http://127.0.0.1:4400', networks: ['ethereum', 'base'] })
    expect(optionsOf(changed)).toEqual(chosen)
    expect(optionsOf({ ...changed, 'theme.accent': '#0d7565' }).theme).toEqual({ mode: 'dark', radius: 0.5 })
  })

  it('have a place on the page each, or a reason', () => {
    const shown = groups.flatMap(({ of }) => of)
    const known = Object.entries(options).flatMap(([name, entry]) => ('why' in entry ? [] : [name]))
    expect([...shown].sort()).toEqual(known.sort())
    const paths = shown.flatMap(controlsOf).map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
  })

  it('offer the languages of the modal', async () => {
    const { locales } = await import('../../../../packages/ui/src/locales/catalogues')
    expect([...languages].sort()).toEqual([...locales].sort())
  })
})

const hash = `sha384-${'A'.repeat(64)}`
const build = { version: '1.2.3', files: { 'postern.js': hash } }

describe('the code', () => {
  const tag = (host: string, of: typeof build | null) => {
    const [file] = codeOf('HTML', optionsOf({ ...changed, host }), of)
    const {
      src = '',
      integrity = '',
      crossOrigin = null,
    } = new DOMParser().parseFromString(file?.code ?? '', 'text/html').querySelector('script') ?? {}
    return { src, integrity, crossOrigin, text: file?.code ?? '' }
  }

  it('of HTML has a tag that is pinned by version and hash', () => {
    expect(tag('https://modal.example', build)).toMatchObject({
      src: 'https://modal.example/postern@1.2.3/postern.js',
      integrity: hash,
    })
    for (const of of [null, { ...build, version: '0.0.0' }]) {
      const { src, text } = tag('https://modal.example', of)
      expect(src).toBe('https://modal.example/postern@VERSION/postern.js')
      expect(text).toContain('https://modal.example/integrity.json')
    }
  })

  it.each(['http://127.0.0.1:4400', 'http://modal.postern.localhost:4400', 'http://[::1]:4400'])(
    'of HTML has the newest build of a developer’s own gateway: %s',
    (host) => {
      expect(tag(host, build)).toMatchObject({ src: `${host}/postern.js`, integrity: '' })
    },
  )

  it('of HTML has the attributes that the script reads back', () => {
    const [file] = codeOf('HTML', optionsOf(changed), build)
    const page = new DOMParser().parseFromString(file?.code ?? '', 'text/html')
    const script = page.querySelector('script')
    const complaints: string[] = []
    const read = readScriptOptions({ ...script?.dataset }, script?.src ?? '', (text) => complaints.push(text))
    expect([read, complaints]).toEqual([chosen, []])
  })

  it('of HTML says what has no attribute', () => {
    const [file] = codeOf(
      'HTML',
      optionsOf({ disclaimer: '"a" <b>', 'accounts.eip155': 'eoa', 'metadata.name': '"A" & <B>' }),
      build,
    )
    expect(file?.code.match(/No attribute for \w+/g)).toEqual(['No attribute for accounts'])
    expect(file?.code).toContain('data-disclaimer="&quot;a&quot; &lt;b>"')
    expect(file?.code).toContain('data-name="&quot;A&quot; &amp; &lt;B>"')
  })

  it.each(stacks)('of %s names every chosen value', (stack) => {
    const code = codeOf(stack, optionsOf(changed), null)
      .map((file) => file.code)
      .join('\n')
    for (const word of ['shop', 'modal.example', 'gnosis', '#aa0000', 'io.metamask']) expect(code).toContain(word)
  })

  it('writes values as a formatter does', () => {
    expect(literal({ a: "it's", b: [1, true], c: {} })).toBe("{\n  a: 'it\\'s',\n  b: [1, true],\n  c: {},\n}")
  })
})
