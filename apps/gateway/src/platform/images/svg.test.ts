import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sanitizeSvg } from './svg'

const xmlns = 'xmlns="http://www.w3.org/2000/svg"'
const wrap = (inside: string, attributes = '') => `<svg ${xmlns}${attributes}>${inside}</svg>`

describe('sanitizeSvg', () => {
  it('leaves a plain drawing unchanged', () => {
    const drawing = wrap(
      '<defs><linearGradient id="a" x1="0" x2="1"><stop offset="0" stop-color="#fff"/></linearGradient></defs>' +
        '<g clip-path="url(#b)" style="mix-blend-mode:multiply"><path fill="url(#a)" d="M0 0h24v24"/></g>',
      ' viewBox="0 0 24 24"',
    )
    expect(sanitizeSvg(drawing)).toBe(drawing)
  })

  it('drops the declaration, document type, comments and text around the root', () => {
    const source = `\uFEFF<?xml version="1.0"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/x.dtd">\n<!-- hi -->${wrap('<path d="M0 0"/>')}\n`
    expect(sanitizeSvg(source)).toBe(wrap('<path d="M0 0"/>'))
  })

  it('adds a missing namespace, so that an <img> renders it', () => {
    expect(sanitizeSvg('<svg><path d="M0 0"/></svg>')).toBe(wrap('<path d="M0 0"/>'))
  })

  it.each([
    ['a script', wrap('<script>alert(1)</script><path d="M0 0"/>')],
    ['a script in CDATA', wrap('<script><![CDATA[alert(1)]]></script><path d="M0 0"/>')],
    [
      'foreign content with drawing inside',
      wrap('<foreignObject><div><svg><path d="M9 9"/></svg></div></foreignObject><path d="M0 0"/>'),
    ],
    ['an animation', wrap('<set attributeName="href" to="javascript:alert(1)"/><path d="M0 0"/>')],
    ['a link', wrap('<a href="https://evil.example"><path d="M1 1"/></a><path d="M0 0"/>')],
    ['an event handler', wrap('<path onload="alert(1)" d="M0 0"/>')],
    ['an event handler on the root', wrap('<path d="M0 0"/>', ' onload="alert(1)"')],
    ['an unknown attribute', wrap('<path data-x="1" d="M0 0"/>')],
  ])('1. removes %s and keeps the rest', (_what, source) => {
    expect(sanitizeSvg(source)).toBe(wrap('<path d="M0 0"/>'))
  })

  it.each([
    ['use of another document', wrap('<use href="https://evil.example/a.svg#x"/>')],
    ['use of a data document', wrap('<use xlink:href="data:image/svg+xml;base64,PHN2Zz4=#x"/>')],
    ['an image from elsewhere', wrap('<image href="https://evil.example/pixel.png"/>')],
    ['an SVG inside an image', wrap('<image href="data:image/svg+xml;base64,PHN2Zz4="/>')],
    ['a fill from elsewhere', wrap('<path fill="url(https://evil.example/#a)" d="M0 0"/>')],
    ['a fill from elsewhere in quotes', wrap(`<path fill='url("//evil.example/#a")' d="M0 0"/>`)],
    ['a style with a background', wrap('<path style="background:url(https://evil.example)" d="M0 0"/>')],
    ['an import', wrap('<style>@import "https://evil.example/a.css";</style>')],
    ['an escaped url', wrap('<style>path{fill:\\75rl(https://evil.example)}</style>')],
    ['a url parted by a comment', wrap('<style>a{fill:u<!-- -->rl(https://evil.example)}</style>')],
    ['a url parted by CDATA', wrap('<style>a{fill:u<![CDATA[rl(https://evil.example)]]>}</style>')],
    ['a url parted by an instruction', wrap('<style>a{fill:u<?x?>rl(https://evil.example)}</style>')],
    ['a url parted by an element', wrap('<style>a{fill:u<g/>rl(https://evil.example)}</style>')],
    ['a url parted by an unknown element', wrap('<style>a{fill:u<b>x</b>rl(https://evil.example)}</style>')],
    ['a url spelt by references', wrap('<path fill="&#x75;rl(https://evil.example)" d="M0 0"/>')],
    ['a javascript: reference', wrap('<use href="java&#x73;cript:alert(1)"/>')],
    ['another default namespace', '<svg xmlns="http://www.w3.org/1999/xhtml"><path d="M0 0"/></svg>'],
  ])('2. rejects %s', (_what, source) => {
    expect(sanitizeSvg(source)).toBeUndefined()
  })

  it('2. keeps an embedded raster image', () => {
    const source = wrap('<image width="1" height="1" href="data:image/png;base64,iVBORw0KGgo="/>')
    expect(sanitizeSvg(source)).toBe(source)
  })

  it('2. keeps a whole style sheet, including spaces between its parts', () => {
    expect(sanitizeSvg(wrap('<style>.a<!-- x --> <![CDATA[.b]]><?x?>{fill:url(#c)}</style><path d="M0 0"/>'))).toBe(
      wrap('<style>.a .b{fill:url(#c)}</style><path d="M0 0"/>'),
    )
  })

  it('2. checks each style sheet separately', () => {
    const source = wrap('<style>.a{fill:u}</style><style>rl(x)</style>')
    expect(sanitizeSvg(source)).toBe(source)
  })

  it.each([
    ['an entity of its own', `<!DOCTYPE svg [<!ENTITY x "y">]>${wrap('<text>&x;</text>')}`],
    ['an unknown entity', wrap('<text>&nbsp;</text>')],
    ['a bare ampersand', wrap('<text>a & b</text>')],
  ])('3. rejects %s', (_what, source) => {
    expect(sanitizeSvg(source)).toBeUndefined()
  })

  it('3. writes resolved references in escaped form', () => {
    expect(sanitizeSvg(wrap('<text>&#60;script&#62; &amp; &quot;</text>'))).toBe(
      wrap('<text>&lt;script&gt; &amp; &quot;</text>'),
    )
  })

  it.each([
    ['an attribute without quotes', wrap('<path d=M0/>')],
    ['an element closed out of turn', `<svg ${xmlns}><g><path d="M0"></g></path></svg>`],
    ['an unclosed element', `<svg ${xmlns}><g></svg>`],
    ['two roots', wrap('') + wrap('')],
    ['another root', '<html><svg></svg></html>'],
    ['the same attribute twice', wrap('<path d="M0" d="M1"/>')],
    ['text', 'hello'],
    ['nothing', ''],
  ])('4. rejects %s', (_what, source) => {
    expect(sanitizeSvg(source)).toBeUndefined()
  })

  it('no combination of dangerous fragments yields dangerous output', () => {
    const piece = fc.constantFrom(
      '<svg>',
      '</svg>',
      '<svg xmlns="http://www.w3.org/2000/svg">',
      '<g>',
      '</g>',
      '<script>',
      '</script>',
      '<script',
      '>',
      '/>',
      '<',
      'alert(1)',
      '<path ',
      'onload="x"',
      ' d="M0"',
      ' fill="url(#a)"',
      ' href="#a"',
      ' href="javascript:x"',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '&lt;script&gt;',
      '&#x3c;',
      '"',
      "'",
      '<style>',
      '</style>',
      '@import',
      'u',
      'rl(//x)',
      '<use',
      '<text>',
      '</text>',
      '<scr<script>ipt>',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const output = sanitizeSvg(`<svg>${pieces.join('')}</svg>`)
        if (output === undefined) return
        expect(output).not.toMatch(/<script|<style[^>]*>[^<]*(?:@|url\(\/)|="javascript:/i)
        // Only attribute names: escaped text may contain `onload=`. Text and values have no bare `<`, `>` or `"`.
        const names = (output.match(/<[^>]*>/g) ?? []).join('').replace(/"[^"]*"/g, '')
        expect(names).not.toMatch(/\son\w+\s*=/i)
        expect(sanitizeSvg(output)).toBe(output)
      }),
      { numRuns: 3_000 },
    )
  })

  it('takes linear time on adversarial input', () => {
    // Of the processor: other work on the machine does not count.
    const started = process.cpuUsage()
    sanitizeSvg(`<svg ${'a="" '.repeat(10_000)}`)
    sanitizeSvg(`<svg>${'<g '.repeat(20_000)}`)
    sanitizeSvg(`<svg>${'<g>'.repeat(20_000)}`)
    sanitizeSvg(`<svg><path d="${' '.repeat(60_000)}`)
    sanitizeSvg(`<svg ${' '.repeat(60_000)}`)
    const { user, system } = process.cpuUsage(started)
    expect((user + system) / 1_000).toBeLessThan(1_000)
  })
})
