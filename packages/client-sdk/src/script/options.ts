import type { CustomWallet, PosternOptions, SomeFeatures, Theme } from '../types'

/**
 * Reads the script tag's `data-` attributes: `project-id`, `networks`, `featured-wallets`, `include-wallets`,
 * `exclude-wallets` (separated by spaces), `host`, `theme` (light, dark, auto), `accent`, `radius`, `font`, `mix`,
 * `mix-strength`, `z-index`, `locale`, `name`, `description`, `announce` and `wallet-connect` (`false` disables),
 * `terms-conditions-url`, `privacy-policy-url`, `connector-type-order` and `connect-methods-order` (separated by
 * spaces), `custom-wallets` (a JSON list), `features` (JSON flags, `{"swaps":false}`), `prewarm` (presence, intent,
 * off). Default `host`: the script's origin. Warns about invalid values.
 */
export function readScriptOptions(
  data: Readonly<Record<string, string | undefined>>,
  src: string,
  complain: (text: string) => void,
): PosternOptions {
  const words = (value: string | undefined) => value?.split(/\s+/).filter((word) => word !== '')
  const networks = words(data.networks) ?? []
  if (networks.length === 0)
    complain('data-networks is missing: name at least one network, for example "ethereum base"')
  if (!data.projectId) complain('data-project-id is missing: set it to the id of your project')
  const theme = readTheme(data, complain)
  const features = readJson<SomeFeatures>('data-features', data.features, 'object', complain)
  return {
    projectId: data.projectId ?? '',
    networks,
    host: readHost(data.host, src, complain),
    ...(Object.keys(theme).length > 0 && { theme }),
    ...(data.locale && { locale: data.locale }),
    ...(data.name && { metadata: { name: data.name, ...(data.description && { description: data.description }) } }),
    ...(data.featuredWallets && { featuredWallets: words(data.featuredWallets) }),
    ...(data.includeWallets && { includeWallets: words(data.includeWallets) }),
    ...(data.excludeWallets && { excludeWallets: words(data.excludeWallets) }),
    ...(data.termsConditionsUrl && { termsConditionsUrl: data.termsConditionsUrl }),
    ...(data.privacyPolicyUrl && { privacyPolicyUrl: data.privacyPolicyUrl }),
    ...(features && { features }),
    ...(data.announce === 'false' && { announce: false }),
    ...(data.walletConnect === 'false' && { walletConnect: false }),
    ...readOrders(data, complain),
    ...readPrewarm(data.prewarm, complain),
  }
}

function readPrewarm(value: string | undefined, complain: (text: string) => void): Pick<PosternOptions, 'prewarm'> {
  const prewarm = (['presence', 'intent', 'off'] as const).find((each) => each === value)
  if (value !== undefined && prewarm === undefined) complain(`data-prewarm "${value}" is not presence, intent or off`)
  return { ...(prewarm && { prewarm }) }
}

const groups = ['walletConnect', 'recent', 'injected', 'featured', 'custom', 'external', 'recommended'] as const
const methods = ['email', 'social', 'wallet'] as const

function readOrders(
  data: Readonly<Record<string, string | undefined>>,
  complain: (text: string) => void,
): Pick<PosternOptions, 'connectorTypeOrder' | 'connectMethodsOrder' | 'customWallets'> {
  const order = <T extends string>(name: string, value: string | undefined, known: readonly T[]): T[] =>
    (value?.match(/\S+/g) ?? []).flatMap((word) => {
      const found = known.find((each) => each === word)
      if (found === undefined) complain(`${name} "${word}" is not one of ${known.join(', ')}`)
      return found ?? []
    })
  const connectorTypeOrder = order('data-connector-type-order', data.connectorTypeOrder, groups)
  const connectMethodsOrder = order('data-connect-methods-order', data.connectMethodsOrder, methods)
  const customWallets = readJson<CustomWallet[]>('data-custom-wallets', data.customWallets, 'list', complain)
  return {
    ...(connectorTypeOrder.length > 0 && { connectorTypeOrder }),
    ...(connectMethodsOrder.length > 0 && { connectMethodsOrder }),
    ...(customWallets && { customWallets }),
  }
}

/** The host validates the contents. */
function readJson<T extends object>(
  name: string,
  value: string | undefined,
  kind: 'list' | 'object',
  complain: (text: string) => void,
): T | undefined {
  if (!value) return undefined
  try {
    const read = JSON.parse(value)
    if (typeof read === 'object' && read !== null && Array.isArray(read) === (kind === 'list')) return read
  } catch {
    // Reported below.
  }
  complain(`${name} is not a JSON ${kind}`)
  return undefined
}

function readHost(host: string | undefined, src: string, complain: (text: string) => void): string {
  if (host === undefined) return new URL(src).origin
  try {
    return new URL(host).origin
  } catch {
    complain(`data-host "${host}" is not a URL`)
    return new URL(src).origin
  }
}

function readTheme(data: Readonly<Record<string, string | undefined>>, complain: (text: string) => void): Theme {
  const { accent, font, mix, theme: mode } = data
  const number = (name: string, value: string | undefined, min: number, max: number): number | undefined => {
    if (value === undefined) return undefined
    const read = Number(value)
    if (value.trim() !== '' && read >= min && read <= max) return read
    complain(`${name} "${value}" is not a number from ${min} to ${max}`)
    return undefined
  }
  const radius = number('data-radius', data.radius, 0, 2)
  const mixStrength = number('data-mix-strength', data.mixStrength, 0, 50)
  const zIndex = number('data-z-index', data.zIndex, -2_147_483_648, 2_147_483_647)
  const known = mode === 'light' || mode === 'dark' || mode === 'auto'
  if (mode !== undefined && !known) complain(`data-theme "${mode}" is not light, dark or auto`)
  return {
    ...(known && { mode }),
    ...(accent && { accent }),
    ...(font && { font }),
    ...(mix && { mix }),
    ...(radius !== undefined && { radius }),
    ...(mixStrength !== undefined && { mixStrength }),
    ...(zIndex !== undefined && { zIndex: Math.trunc(zIndex) }),
  }
}
