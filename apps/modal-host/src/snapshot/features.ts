import { defaultFeatures, type Features, type Init, type SomeFeatures } from '@postern/protocol'
import type { HostSnapshot } from './host-snapshot'
import { factsOfView, type View } from './views'

/** The project's override the dapp's (interop §2), which override the defaults (spec §1). */
export function featuresOf(local: SomeFeatures | undefined, remote: SomeFeatures): Features {
  return { ...defaultFeatures, ...defined(local ?? {}), ...defined(remote) }
}

function defined(flags: SomeFeatures): Partial<Features> {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))
}

/** http(s) only. Null if the flag is off or there is nothing to accept. */
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

export function isLegalDue({ legal }: Pick<HostSnapshot, 'legal'>): boolean {
  return legal?.accepted === false
}

/** The view's feature is on and the gateway supports it. */
export function isOffered(
  view: View,
  {
    features,
    money,
    embedded = null,
  }: Pick<HostSnapshot, 'features' | 'money'> & Partial<Pick<HostSnapshot, 'embedded'>>,
): boolean {
  const facts = factsOfView(view)
  if (facts.for === 'owner') return embedded !== null
  if (view === 'RegisterAccountName') return money.nameSuffix !== null
  const flag = facts.feature
  return flag === undefined || (features[flag] && (flag !== 'onramp' || money.onramp))
}

export function absenceOf(view: View, { features }: Pick<HostSnapshot, 'features'>): string {
  const flag = factsOfView(view).feature
  return flag === undefined || features[flag]
    ? `the gateway or the account does not offer ${view}`
    : `\`features.${flag}\` ${featureOffText}`
}

export const featureOffText = 'is off, in the dapp’s options or in its project'

/** False for a home: what is connected chooses the home. */
export function isOfAccount(view: View): boolean {
  const facts = factsOfView(view)
  return !facts.home && (facts.for === 'account' || facts.for === 'owner')
}
