/**
 * Sanitises an untrusted SVG by writing a new text of known elements and attributes: unknown syntax cannot pass.
 *
 * 1. No scripts, event handlers, foreign content, animations or links.
 * 2. Nothing is fetched: `href` and `url()` may point only into the document, and an `<image>` must embed raster data.
 * 3. No document type, and no entities but XML's five and character references, resolved before any check. A style
 *    sheet is checked as a whole: comments and CDATA may split it, elements may not.
 * 4. Malformed input is rejected, not repaired.
 *
 * The gateway also serves the result with a `sandbox` policy, and pages show it in `<img>`.
 */
const elements = new Set(
  (
    'svg g defs symbol use path rect circle ellipse line polyline polygon text tspan image title desc ' +
    'linearGradient radialGradient stop clipPath mask pattern filter style ' +
    'feBlend feColorMatrix feComponentTransfer feComposite feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur ' +
    'feMerge feMergeNode feMorphology feOffset feTurbulence'
  ).split(' '),
)

const attributes = new Set(
  (
    'xmlns xmlns:xlink id class style version viewBox width height x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d points transform ' +
    'preserveAspectRatio href xlink:href opacity overflow display visibility color enable-background isolation mix-blend-mode ' +
    'fill fill-opacity fill-rule clip-rule clip-path mask mask-type filter stroke stroke-width stroke-opacity stroke-linecap ' +
    'stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset vector-effect paint-order shape-rendering ' +
    'offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits ' +
    'patternUnits patternContentUnits patternTransform filterUnits primitiveUnits in in2 result mode type values stdDeviation ' +
    'dx dy flood-color flood-opacity color-interpolation-filters operator k1 k2 k3 k4 radius tableValues slope intercept amplitude ' +
    'exponent baseFrequency numOctaves seed stitchTiles font-family font-size font-weight font-style text-anchor ' +
    'dominant-baseline letter-spacing text-rendering image-rendering'
  ).split(' '),
)

const reserved: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const namespaceNames: Readonly<Record<string, string>> = {
  xmlns: 'http://www.w3.org/2000/svg',
  'xmlns:xlink': 'http://www.w3.org/1999/xlink',
}

/** Every alternative runs in linear time. */
const token =
  /<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<!DOCTYPE[^>[]*>|<(\/?)([A-Za-z][-\w:.]*)((?:\s+[-\w:.]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/giy
const attribute = /([-\w:.]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** @returns undefined by rules 2 to 4, or if it is not an SVG */
export function sanitizeSvg(source: string): string | undefined {
  const text = source.replace(/^\uFEFF/, '').trim()
  const output: string[] = []
  /** Outermost first; a dropped element's content is dropped too. */
  const open: { name: string; allowed: boolean }[] = []
  let at = 0
  let rootClosed = false
  let styleSheet = ''
  token.lastIndex = 0
  while (at < text.length) {
    token.lastIndex = at
    const match = token.exec(text)
    if (match === null) return undefined
    at = token.lastIndex
    const [, cdata, closing, name, rawAttributes = '', selfClosing, characters] = match
    const keeping = open.at(-1)?.allowed ?? true
    if (name !== undefined) {
      if (closing === '/') {
        const last = open.pop()
        if (last?.name !== name) return undefined
        if (open.length === 0) rootClosed = true
        if (name === 'style') {
          if (!isHarmlessCss(styleSheet)) return undefined
          if (keeping && styleSheet.trim() !== '') output.push(encode(styleSheet))
          styleSheet = ''
        }
        if (keeping) output.push(`</${name}>`)
        continue
      }
      if (open.at(-1)?.name === 'style') return undefined
      if (open.length === 0 && (rootClosed || name !== 'svg')) return undefined
      const allowed = keeping && elements.has(name)
      if (allowed) {
        const attributeText = writeAttributes(name, rawAttributes)
        if (attributeText === undefined) return undefined
        output.push(`<${name}${attributeText}${selfClosing}>`)
      }
      if (selfClosing === '/') rootClosed ||= open.length === 0
      else open.push({ name, allowed })
      continue
    }
    const content = cdata ?? (characters === undefined ? undefined : decode(characters))
    const parent = open.at(-1)
    if (content === undefined) {
      if (characters !== undefined) return undefined
      continue
    }
    if (parent?.name === 'style') {
      styleSheet += content
      continue
    }
    if (content.trim() === '' || parent === undefined || !keeping) continue
    output.push(encode(content))
  }
  return rootClosed && open.length === 0 ? output.join('') : undefined
}

function writeAttributes(element: string, raw: string): string | undefined {
  const output = new Map<string, string>()
  for (const [, name = '', double, single] of raw.matchAll(attribute)) {
    if (!attributes.has(name)) continue
    const value = decode(double ?? single ?? '')
    if (value === undefined || output.has(name)) return undefined
    if (name in namespaceNames) {
      if (value !== namespaceNames[name]) return undefined
    } else if (name === 'href' || name === 'xlink:href') {
      if (!isHarmlessReference(element, value)) return undefined
    } else if (!isHarmlessCss(value)) return undefined
    output.set(name, value)
  }
  if (element === 'svg' && !output.has('xmlns')) output.set('xmlns', namespaceNames.xmlns ?? '')
  return [...output].map(([name, value]) => ` ${name}="${encode(value)}"`).join('')
}

function isHarmlessReference(element: string, value: string): boolean {
  if (element === 'image') return /^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/=\s]*$/.test(value)
  return /^#[^\s()'"]+$/.test(value)
}

/** No escapes, no at-rules, and `url()` only into the document. */
function isHarmlessCss(value: string): boolean {
  if (/[\\@<]|expression\s*\(|javascript:|image-set|src\s*\(/i.test(value)) return false
  return [...value.matchAll(/url\s*\(/gi)].length === [...value.matchAll(/url\(\s*(["']?)#[^\s()'"]+\1\s*\)/gi)].length
}

/** Undefined if a reference is unknown. */
function decode(text: string): string | undefined {
  let known = true
  const decoded = text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{1,8})?;?/gi, (whole, reference?: string) => {
    if (reference === undefined || !whole.endsWith(';')) known = false
    else if (reference.startsWith('#')) {
      const point = /^#x/i.test(reference) ? Number.parseInt(reference.slice(2), 16) : Number(reference.slice(1))
      if (point > 0 && point <= 0x10ffff) return String.fromCodePoint(point)
      known = false
    } else {
      const character = Object.hasOwn(reserved, reference) ? reserved[reference] : undefined
      if (character !== undefined) return character
      known = false
    }
    return ''
  })
  return known ? decoded : undefined
}

function encode(text: string): string {
  return text.replace(/[<>&"]/g, (character) =>
    character === '<' ? '&lt;' : character === '>' ? '&gt;' : character === '&' ? '&amp;' : '&quot;',
  )
}
