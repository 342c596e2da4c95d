/**
 * The HTML of an email: one card, like the modal's.
 *
 * 1. The colours are the modal theme's (`packages/ui/src/theme/theme.css`), light without style sheets.
 * 2. Mail apps preview the first text, also on a locked screen: a text without the code comes first, and invisible
 *    padding keeps out the rest.
 * 3. The code is two groups of digits without a space, so that a copy has six digits.
 */
import { textDirection } from '@postern/base/text-direction'
import { escapeHtml } from '../../platform/html/page'
import type { Language } from '../../projects/mail/text'

export type Link = { readonly href: string; readonly label: string }

/** A line of the project. */
export type OwnLine = { readonly text: string; readonly language?: Language }

export type Card = {
  readonly language: Language
  readonly subject: string
  /** Without the code. */
  readonly preview: string
  readonly brand: string | null
  /** `#rrggbb`, of the brand's mark and buttons; null: the theme's. */
  readonly color: string | null
  readonly heading: string
  readonly intro: OwnLine | null
  /** Six digits. */
  readonly code?: string | undefined
  readonly lines: readonly string[]
  readonly link?: Link | undefined
  /** Time, site and region of the request. */
  readonly facts: readonly string[]
  readonly note: string
  readonly notMe: Link
  /** For an email in another language. */
  readonly english: { readonly warning: string; readonly notMe: Link } | null
  readonly footer: OwnLine | null
}

/** Light, dark. */
export const colors = {
  page: ['#f5f6f5', '#0a0e0c'],
  card: ['#ffffff', '#141816'],
  inset: ['#f5f6f5', '#222926'],
  line: ['#e8e9e8', '#29302c'],
  text: ['#0f1512', '#eef3f0'],
  quiet: ['#55605a', '#a6b1ab'],
  accent: ['#0d7565', '#55d3b8'],
  ink: ['#0f1512', '#eef3f0'],
  onInk: ['#ffffff', '#101412'],
} as const

const light = Object.fromEntries(Object.entries(colors).map(([name, [value]]) => [name, value])) as {
  readonly [name in keyof typeof colors]: string
}

/** 1 */
const darkStyles = [
  `.page{background:${colors.page[1]}!important}`,
  `.card{background:${colors.card[1]}!important;color:${colors.text[1]}!important}`,
  `.inset{background:${colors.inset[1]}!important}`,
  `.line{border-color:${colors.line[1]}!important}`,
  `.quiet{color:${colors.quiet[1]}!important}`,
  `.accent{color:${colors.accent[1]}!important}`,
  `.ink{background:${colors.ink[1]}!important;color:${colors.onInk[1]}!important}`,
].join('')

const font = "font-family:Inter,system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif"
const small = `font-size:13px;line-height:20px`

/** 2: combining grapheme joiner and no-break space, which no mail app draws or collapses. */
const padding = '&#847;&nbsp;'.repeat(150)

export function drawCard(card: Card): string {
  const { language, subject, preview, brand, heading, intro, code, lines, link, facts, note, notMe, english } = card
  const direction = textDirection(language)
  const parts = [
    ...(brand === null ? [] : [drawBrand(brand, card.color)]),
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:28px;font-weight:600">${escapeHtml(heading)}</h1>`,
    ...(intro === null ? [] : [`<p style="margin:0 0 16px">${drawOwnLine(intro)}</p>`]),
    ...(code === undefined ? [] : [drawCode(code)]),
    ...lines.map((line) => `<p class="quiet" style="margin:0 0 8px;color:${light.quiet}">${escapeHtml(line)}</p>`),
    ...(link === undefined ? [] : [drawButton(link, card.color)]),
    `<hr class="line" style="margin:20px 0;border:0;border-top:1px solid ${light.line}">`,
    `<p class="quiet" style="margin:0 0 8px;${small};color:${light.quiet}">${facts.map(escapeHtml).join(' · ')}</p>`,
    drawWarning(note, notMe),
    ...(english === null
      ? []
      : [
          `<div lang="en" dir="ltr" style="margin-top:16px;text-align:left">\n${drawWarning(english.warning, english.notMe)}\n</div>`,
        ]),
    ...(card.footer === null
      ? []
      : [`<p class="quiet" style="margin:20px 0 0;${small};color:${light.quiet}">${drawOwnLine(card.footer)}</p>`]),
  ]
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>@media(prefers-color-scheme:dark){${darkStyles}}</style>
</head>
<body class="page" style="margin:0;padding:0;background:${light.page}">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}${padding}</div>
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${light.page}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px"><tr><td class="card" lang="${language}" dir="${direction}" align="${direction === 'rtl' ? 'right' : 'left'}" style="padding:32px 28px;border-radius:20px;background:${light.card};color:${light.text};${font};font-size:15px;line-height:22px">
${parts.join('\n')}
</td></tr></table>
</td></tr></table>
</body>
</html>
`
}

/** A picture would have to be loaded. */
function drawBrand(brand: string, color: string | null): string {
  const fill = color ?? light.accent
  const [first] = new Intl.Segmenter().segment(brand)
  const initial = first?.segment.toUpperCase() ?? ''
  return `<p style="margin:0 0 24px;font-weight:600"><span aria-hidden="true" style="display:inline-block;width:32px;margin-inline-end:12px;border-radius:9px;background:${fill};color:${inkOn(fill)};line-height:32px;text-align:center">${escapeHtml(initial)}</span><bdi>${escapeHtml(brand)}</bdi></p>`
}

/** 3 */
function drawCode(code: string): string {
  return `<p class="inset" dir="ltr" style="margin:0 0 16px;padding:12px;border-radius:12px;background:${light.inset};font-size:28px;line-height:36px;font-weight:600;font-variant-numeric:tabular-nums;letter-spacing:4px;text-align:center"><span style="margin-right:12px">${escapeHtml(code.slice(0, 3))}</span><span>${escapeHtml(code.slice(3))}</span></p>`
}

function drawButton({ href, label }: Link, color: string | null): string {
  const [name, fill, ink] = color === null ? [' class="ink"', light.ink, light.onInk] : ['', color, inkOn(color)]
  return `<p style="margin:16px 0 0"><a${name} href="${escapeHtml(href)}" style="display:inline-block;padding:14px 24px;border-radius:14px;background:${fill};color:${ink};font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>`
}

function drawWarning(note: string, { href, label }: Link): string {
  return `<p class="quiet" style="margin:0 0 8px;${small};color:${light.quiet}">${escapeHtml(note)}</p>
<p style="margin:0;${small}"><a class="accent" href="${escapeHtml(href)}" style="color:${light.accent};font-weight:600">${escapeHtml(label)}</a></p>`
}

function drawOwnLine({ text, language }: OwnLine): string {
  const attributes = language === undefined ? '' : ` lang="${language}" dir="${textDirection(language)}"`
  return `<bdi${attributes}>${escapeHtml(text)}</bdi>`
}

/** Black or white, by contrast (relative luminance, WCAG 2.2). @param color `#rrggbb` */
function inkOn(color: string): '#000000' | '#ffffff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff'
}
