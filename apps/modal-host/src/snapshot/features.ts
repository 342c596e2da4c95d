import { defaultFeatures, type Features, type Init, type SomeFeatures, type ViewName } from '@postern/protocol'
import type { HostSnapshot } from './contract'

/** The flags of this visit: the defaults of spec §1, over them the dapp's own, over both what the project's owner set (interop §2: remote wins). */
export function featuresOf(local: SomeFeatures | undefined, remote: SomeFeatures): Features {
  return { ...defaultFeatures, ...defined(local ?? {}), ...defined(remote) }
}

/** `exactOptionalPropertyTypes` for what came over a link: a member that is undefined is absent. */
function defined(flags: SomeFeatures): Partial<Features> {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))
}

/** Terms and privacy statement of the dapp, http(s) alone. Null where the flag is off, or where there is nothing to accept. */
export function legalOf(
  { legalCheckbox }: Features,
  { termsConditionsUrl, privacyPolicyUrl }: Pick<Init, 'termsConditionsUrl' | 'privacyPolicyUrl'>,
): HostSnapshot['legal'] {
  const [termsUrl, privacyUrl] = [webUrl(termsConditionsUrl), webUrl(privacyPolicyUrl)]
  return legalCheckbox && (termsUrl !== null || privacyUrl !== null) ? { termsUrl, privacyUrl, accepted: false } : null
}

function webUrl(text = ''): string | null {
  return /^https?:\/\/\S+$/i.test(text) ? text : null
}

/** Nobody connects before. */
export function isLegalDue({ legal }: Pick<HostSnapshot, 'legal'>): boolean {
  return legal?.accepted === false
}

const flags: ReadonlyMap<ViewName, 'send' | 'receive' | 'swaps' | 'onramp'> = new Map([
  ['Send', 'send'],
  ['Receive', 'receive'],
  ['Swap', 'swaps'],
  ['OnRamp', 'onramp'],
])

/** Whether a view may be opened at all: one whose feature is off, or that the gateway has nothing for, is as if it were not there. */
export function isOffered(view: ViewName, { features, money }: Pick<HostSnapshot, 'features' | 'money'>): boolean {
  if (view === 'RegisterAccountName') return money.nameSuffix !== null
  const flag = flags.get(view)
  return flag === undefined || (features[flag] && (flag !== 'onramp' || money.onramp))
}

/** Views of whoever is connected. */
export function isOfAccount(view: ViewName): boolean {
  return flags.has(view) || view === 'RegisterAccountName'
}
