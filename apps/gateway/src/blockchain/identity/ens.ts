/**
 * Names of the Ethereum Name Service, by its universal resolver on the network that is configured.
 *
 * 1. An address's name is one that leads back to it (the resolver's own check, ENSIP-3), and written as ENSIP-15 writes it: a name that looks
 *    like another one is none.
 * 2. A picture is shown only where the record is the picture itself, of a kind that cannot run (PNG, JPEG, GIF, WebP): nobody's server is asked.
 * 3. Names whose resolver sends its callers to a server elsewhere (EIP-3668) are not followed.
 * 4. Who has no name is null; a network that cannot be asked is an error.
 */
import { type Address, ContractFunctionExecutionError, createPublicClient, custom, type PublicClient } from 'viem'
import { normalize } from 'viem/ens'
import type { Chain } from '../chain'

export type Ens = {
  /** @throws {UpstreamsFailedError} */
  nameOf(address: Address): Promise<string | null>
  /** @throws {UpstreamsFailedError} */
  addressOf(name: string): Promise<Address | null>
  /** @throws {UpstreamsFailedError} */
  avatarOf(name: string): Promise<string | null>
}

const picture = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/
/** Characters that `Identity` takes. */
const longestAvatar = 2_048

export function createEns(chain: Chain, universalResolverAddress: Address): Ens {
  return {
    async nameOf(address) {
      const name = await asked(chain, (client) => client.getEnsName({ address, universalResolverAddress }))
      return name !== null && normalized(name) === name ? name : null
    },
    async addressOf(name) {
      const written = normalized(name)
      if (written === null) return null
      return asked(chain, (client) => client.getEnsAddress({ name: written, universalResolverAddress }))
    },
    async avatarOf(name) {
      const written = normalized(name)
      if (written === null) return null
      const avatar = await asked(chain, (client) =>
        client.getEnsText({ name: written, key: 'avatar', universalResolverAddress }),
      )
      return avatar !== null && avatar.length <= longestAvatar && picture.test(avatar) ? avatar : null
    },
  }
}

/** Null where the name is none that ENS knows. */
function normalized(name: string): string | null {
  try {
    return normalize(name)
  } catch {
    return null
  }
}

/** A resolver's refusal is null; that nobody could be asked is thrown as it is, which viem would put into an error of its own. */
async function asked<T>(chain: Chain, question: (client: PublicClient) => Promise<T>): Promise<T | null> {
  let failure: { readonly error: unknown } | null = null
  const transport = custom(
    {
      async request({ method, params }: { method: string; params?: unknown }) {
        const [answer] = await chain.upstreams.exchange(chain.urls, [{ method, params }]).catch((error: unknown) => {
          failure = { error }
          throw error
        })
        if (answer === undefined || 'error' in answer) throw answer?.error
        return answer.result
      },
    },
    { retryCount: 0 },
  )
  try {
    return await question(createPublicClient({ transport, ccipRead: false }))
  } catch (error) {
    throwIf(failure)
    if (error instanceof ContractFunctionExecutionError) return null
    throw error
  }
}

function throwIf(failure: { readonly error: unknown } | null): void {
  if (failure !== null) throw failure.error
}
