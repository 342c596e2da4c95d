import { defaultFeatures, type Features, type SomeFeatures } from '@postern/protocol'

/** The flags of this visit: the defaults of spec §1, over them the dapp's own, over both what the project's owner set (interop §2: remote wins). */
export function featuresOf(local: SomeFeatures | undefined, remote: SomeFeatures): Features {
  return { ...defaultFeatures, ...defined(local ?? {}), ...defined(remote) }
}

/** `exactOptionalPropertyTypes` for what came over a link: a member that is undefined is absent. */
function defined(flags: SomeFeatures): Partial<Features> {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))
}
