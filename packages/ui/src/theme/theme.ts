/**
 * The parts of the theme that a dapp may set. All values are untrusted:
 *
 * 1. A colour is set only if it is written as a colour and the browser accepts it: no `var()`, no `url()`, one value.
 * 2. A font is set as a quoted family name, before our own.
 * 3. Invalid values are ignored, and an earlier theme's values are removed.
 */

/** As the protocol's `Theme`. */
export type ThemeValues = {
  readonly accent?: string | undefined
  readonly radius?: number | undefined
  readonly font?: string | undefined
  readonly mix?: string | undefined
  readonly mixStrength?: number | undefined
}

type Property = '--accent' | '--mix' | '--mix-strength' | '--radius-scale' | '--font'
export type ThemeProperties = Readonly<Record<Property, string | null>>
type SupportsColor = (value: string) => boolean

const colourText = /^(?:#[0-9a-f]{3,8}|[a-z]{3,24}|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\([0-9a-z.,%/ +-]{1,48}\))$/i
/** `CSS.supports` accepts these, but they refer to other values. */
const borrowed: ReadonlySet<string> = new Set(['inherit', 'initial', 'unset', 'revert', 'currentcolor', 'transparent'])
const familyText = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,63}$/u

export function themeProperties(theme: ThemeValues, supportsColor: SupportsColor): ThemeProperties {
  const mix = colour(theme.mix, supportsColor)
  return {
    '--accent': colour(theme.accent, supportsColor),
    '--mix': mix,
    '--mix-strength': mix !== null && theme.mixStrength !== undefined ? `${theme.mixStrength}%` : null,
    '--radius-scale': theme.radius === undefined ? null : String(theme.radius),
    '--font': fontStack(theme.font),
  }
}

function colour(value: string | undefined, supportsColor: SupportsColor): string | null {
  const text = value?.trim() ?? ''
  return colourText.test(text) && !borrowed.has(text.toLowerCase()) && supportsColor(text) ? text : null
}

function fontStack(value: string | undefined): string | null {
  const families = (value ?? '').split(',').map((family) => family.trim().replace(/^(['"])(.*)\1$/, '$2'))
  const named = families
    .filter((family) => familyText.test(family))
    .map((family) => genericFamily(family) ?? `'${family}'`)
  return named.length === 0 ? null : [...named, "'Inter Variable'", "'Inter Fallback'", 'sans-serif'].join(', ')
}

function genericFamily(family: string): string | null {
  return /^(?:serif|sans-serif|monospace|system-ui|ui-(?:serif|sans-serif|monospace|rounded))$/.test(family)
    ? family
    : null
}

/** Through CSSOM, which no content security policy blocks. */
export function applyTheme(
  root: HTMLElement,
  theme: ThemeValues,
  mode: 'light' | 'dark',
  supportsColor: SupportsColor,
): void {
  root.dataset['theme'] = mode
  // Must match the frame element's, or the frame is opaque.
  root.style.colorScheme = mode
  for (const [property, value] of Object.entries(themeProperties(theme, supportsColor)))
    if (value === null) root.style.removeProperty(property)
    else root.style.setProperty(property, value)
}
