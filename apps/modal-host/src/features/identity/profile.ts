import type { HostParams, Profile } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { safePicture } from '@postern/ui/safe-picture'
import { base64 } from '@scure/base'
import type { HttpClient } from '../../services/http'
import type { HostSnapshot } from '../../snapshot/host-snapshot'
import type { MoneyHost } from '../../snapshot/money'
import { loadIdentity, mayHaveName, noIdentity } from './load-identity'

export type ProfileOptions = Pick<HostSnapshot, 'connections' | 'activeNetworkId' | 'brand'> & {
  readonly identities: Pick<MoneyHost, 'api' | 'kept' | 'clock'>
  readonly http: Pick<HttpClient, 'blob'>
}

/**
 * The name and picture of a connected address on the active network. The picture is a `data:` URI, so that the page
 * needs no rule for the gateway; absent if it does not load. Rejects with UNAUTHORIZED if not connected, and with the
 * service's failure.
 */
export async function readProfile(
  { address }: HostParams<'getProfile'>,
  { connections, activeNetworkId, brand, identities, http }: ProfileOptions,
  signal: AbortSignal,
): Promise<Profile> {
  const accounts = Object.values(connections).flatMap((each) => (each?.status === 'connected' ? each.accounts : []))
  if (!accounts.some((account) => account.address === address)) throw new Failure('UNAUTHORIZED')
  const chainId = activeNetworkId ?? undefined
  const { name, avatar } = mayHaveName(address)
    ? await loadIdentity(identities, { address, chainId }, signal)
    : noIdentity
  const picture = brand.avatar ?? (avatar && (await dataUri(avatar, http, signal)))
  return { ...(name && { name }), ...(picture && { avatar: picture }) }
}

/** Loads a path of the gateway as a `data:` URI. Undefined if that fails. */
async function dataUri(url: string, http: Pick<HttpClient, 'blob'>, signal: AbortSignal): Promise<string | undefined> {
  if (url.startsWith('data:')) return url
  try {
    const [path = ''] = url.split('?')
    const blob = await http.blob(path, { signal })
    return safePicture(`data:${blob.type};base64,${base64.encode(new Uint8Array(await blob.arrayBuffer()))}`)
  } catch {
    return undefined
  }
}
