import { parseUrl } from '@postern/base/parse-url'
import type { Metadata, PosternOptions, Theme } from '../types/index'

/** `read` returns undefined if invalid. `is`: warning text after "is not". */
type Reader<T> = { readonly is: string; read(value: string): T | undefined }

const text: Reader<string> = { is: 'set', read: (value) => value || undefined }

const words: Reader<string[]> = { is: 'a list of words', read: (value) => value.match(/\S+/g) ?? undefined }

const off: Reader<false> = { is: 'false', read: (value) => (value === 'false' ? false : undefined) }

const origin: Reader<string> = {
  is: 'a URL',
  read: (value) => parseUrl(value)?.origin,
}

const oneOf = <T extends string>(...known: readonly T[]): Reader<T> => ({
  is: `one of ${known.join(', ')}`,
  read: (value) => known.find((each) => each === value),
})

const allOf = <T extends string>(...known: readonly T[]): Reader<T[]> => ({
  is: `a list of ${known.join(', ')}`,
  read(value) {
    const given = value.match(/\S+/g) ?? []
    const found = given.flatMap((word) => known.find((each) => each === word) ?? [])
    return found.length > 0 && found.length === given.length ? found : undefined
  },
})

const number = (min: number, max: number): Reader<number> => ({
  is: `a number from ${min} to ${max}`,
  read: (value) => (value.trim() !== '' && Number(value) >= min && Number(value) <= max ? Number(value) : undefined),
})

const json = (kind: 'list' | 'object'): Reader<never> => ({
  is: `a JSON ${kind}`,
  read(value) {
    try {
      const found = JSON.parse(value)
      return Object(found) === found && Array.isArray(found) === (kind === 'list') ? found : undefined
    } catch {
      return undefined
    }
  },
})

type Readers<T> = { readonly [K in keyof T]?: Reader<NonNullable<T[K]>> }

/** By attribute name, in camel case without `data-`. */
const options: Readers<PosternOptions> = {
  projectId: text,
  networks: words,
  host: origin,
  locale: text,
  featuredWallets: words,
  includeWallets: words,
  excludeWallets: words,
  termsConditionsUrl: text,
  privacyPolicyUrl: text,
  disclaimer: text,
  overrides: json('object'),
  logo: text,
  avatar: text,
  announce: off,
  walletConnect: off,
  walletPrompt: off,
  autoReconnect: off,
  connectorTypeOrder: allOf('walletConnect', 'recent', 'injected', 'featured', 'custom', 'external', 'recommended'),
  connectMethodsOrder: allOf('email', 'social', 'wallet'),
  customWallets: json('list'),
  features: json('object'),
  prewarm: oneOf('presence', 'intent', 'off'),
}

const metadata: Readers<Metadata> = { name: text, description: text }

const theme: Readers<Theme> = {
  accent: text,
  radius: number(0, 2),
  font: text,
  mix: text,
  mixStrength: number(0, 50),
  zIndex: number(-2_147_483_648, 2_147_483_647),
}

/**
 * Reads the script tag's `data-` attributes (docs/reference/options.md).
 * Default `host`: the script's origin. An invalid value is ignored with a warning.
 */
export function readScriptOptions(
  data: Readonly<Record<string, string | undefined>>,
  src: string,
  complain: (text: string) => void,
): PosternOptions {
  function readOne<T>(name: string, { is, read }: Reader<T>): T | undefined {
    const value = data[name]
    if (value === undefined) return undefined
    const found = read(value)
    const attribute = `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    if (found === undefined) complain(`${attribute} "${value}" is not ${is}`)
    return found
  }

  function readAll<T>(readers: Readers<T>): Partial<T> {
    const found = {}
    for (const [name, reader] of Object.entries<Reader<unknown> | undefined>(Object(readers))) {
      const value = reader && readOne(name, reader)
      if (value !== undefined) Object.assign(found, { [name]: value })
    }
    return found
  }

  const mode = readOne('theme', oneOf('light', 'dark', 'auto'))
  const look: Theme = { ...readAll(theme), ...(mode && { mode }) }
  const { name, description } = readAll(metadata)
  return {
    projectId: '',
    networks: [],
    host: new URL(src).origin,
    ...readAll(options),
    ...(Object.keys(look)[0] && { theme: look }),
    ...(name && { metadata: { name, description } }),
  }
}
