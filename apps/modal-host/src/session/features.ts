import { applyRemoteFeatures, defaultFeatures, type Features, type RemoteFeature } from '@postern/protocol'

/**
 * The flags of this visit: the dapp's own over the defaults of spec §1, and over both what the project's configuration says (interop §2: remote wins).
 */
export function featuresOf(local: Partial<Features>, remote: readonly RemoteFeature[]): Features {
  const given = Object.fromEntries(Object.entries(local).filter(([, value]) => value !== undefined))
  return applyRemoteFeatures({ ...defaultFeatures, ...given }, remote)
}
