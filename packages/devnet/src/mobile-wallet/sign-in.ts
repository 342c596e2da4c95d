/** CAIP-74 objects, with later permissions as EIP-5573 (`wc_sessionAuthenticate`). */
import type { CaipNetworkId } from '@postern/protocol'
import type { WalletKitTypes } from '@reown/walletkit'
import { buildAuthObject, populateAuthPayload } from '@walletconnect/utils'
import type { Row } from './contract'
import { eip155Account, eip155Methods } from './eip155'
import { accountOn } from './grants'
import type { Kit } from './kit'

type Payload = WalletKitTypes.SessionAuthenticate['params']['authPayload']

export type SignInTask = {
  readonly chains: readonly string[]
  readonly rows: readonly Row[]
  /** Text for the first chain; the others differ only in the chain. */
  readonly raw: string
  /** One text per chain. */
  sign(): Promise<ReturnType<typeof buildAuthObject>[]>
}

/** Null without a common chain. */
export function signInTask(
  kit: Pick<Kit, 'formatAuthMessage'>,
  request: Payload,
  granted: readonly CaipNetworkId[],
  account: number,
): SignInTask | null {
  const chains = granted.filter((id) => request.chains.includes(id))
  const [first] = chains
  if (first === undefined) return null
  const payload = populateAuthPayload({ authPayload: request, chains, methods: [...eip155Methods] })
  const textOn = (chain: string) => kit.formatAuthMessage({ request: payload, iss: accountOn(chain, account) })
  const key = eip155Account(account)
  return {
    chains,
    rows: [
      { label: 'Site', value: request.domain },
      { label: 'Account', value: key.address },
    ],
    raw: textOn(first),
    sign: () =>
      Promise.all(
        chains.map(async (chain) =>
          buildAuthObject(
            payload,
            { t: 'eip191', s: await key.signMessage({ message: textOn(chain) }) },
            accountOn(chain, account),
          ),
        ),
      ),
  }
}
