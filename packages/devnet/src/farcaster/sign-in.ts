/** The FIP-11 message, signed by the custody key. */
import { createSiweMessage } from 'viem/siwe'
import type { Channel, Signed } from './channels'
import { custodyOf, type IdRegistry } from './registry'

/** For tests. `down`: the relay returns 503. */
export const faults = ['none', 'down', 'bad-signature', 'wrong-fid', 'wrong-domain', 'wrong-nonce'] as const
export type Fault = (typeof faults)[number]

/** FIP-11: always Optimism's. */
const chainId = 10

export async function signIn({
  channel,
  username,
  registry,
  fault,
  now = Date.now,
}: {
  readonly channel: Channel
  readonly username: string
  readonly registry: IdRegistry
  readonly fault: Fault
  readonly now?: () => number
}): Promise<Signed> {
  const { request, nonce } = channel
  const custody = custodyOf(username)
  const own = Number(await registry.fidOf(custody))
  const fid = fault === 'wrong-fid' ? own + 1 : own
  const message = createSiweMessage({
    domain: fault === 'wrong-domain' ? 'evil.example' : request.domain,
    address: custody.address,
    statement: 'Farcaster Auth',
    uri: request.siweUri,
    version: '1',
    chainId,
    nonce: fault === 'wrong-nonce' ? 'somebodyElses' : nonce,
    issuedAt: new Date(now()),
    ...(request.expirationTime !== undefined && { expirationTime: new Date(request.expirationTime) }),
    ...(request.notBefore !== undefined && { notBefore: new Date(request.notBefore) }),
    ...(request.requestId !== undefined && { requestId: request.requestId }),
    resources: [`farcaster://fid/${fid}`],
  })
  const signer = fault === 'bad-signature' ? custodyOf(`not ${username}`) : custody
  const signature = await signer.signMessage({ message })
  return { message, signature, fid, username, displayName: username, custody: custody.address }
}
