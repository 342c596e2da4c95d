/** `window.phantom.bitcoin`. Source: https://docs.phantom.com/bitcoin/provider-api-reference */
import * as z from 'zod/mini'
import { type BitcoinKeys, chainOf, type ShownAddress } from './bitcoin-keys'
import { guarded, read, readPsbt } from './guarded'
import type { Owner } from './owner'
import { createEvents } from './standard'

const Bytes = z.instanceof(Uint8Array)
const Inputs = z.object({
  inputsToSign: z.array(
    z.object({ address: z.string(), signingIndexes: z.array(z.int().check(z.gte(0))), sigHash: z.optional(z.int()) }),
  ),
})

/** Messages (BIP-322) and PSBTs are bytes; signed inputs come back finalized. */
export function createPhantom(owner: Owner, keys: BitcoinKeys) {
  const events = createEvents<[unknown]>()
  const view = ({ address, type, publicKey, purpose }: ShownAddress) => ({
    address,
    addressType: type,
    publicKey,
    purpose,
  })
  const accounts = () => keys.visible().map(view)
  let last = JSON.stringify(accounts())
  owner.listen(() => {
    const now = accounts()
    if (JSON.stringify(now) === last) return
    last = JSON.stringify(now)
    events.emit('accountsChanged', now)
  })
  return {
    isPhantom: true,
    requestAccounts: () =>
      guarded(async () => {
        await owner.connect()
        return accounts()
      }),
    signMessage: (address: unknown, message: unknown) =>
      guarded(async () => ({
        signature: await keys.signMessage(read(Bytes, message), read(z.string(), address), 'bip322'),
      })),
    signPSBT: (psbt: unknown, options: unknown) =>
      guarded(async () => {
        const { inputsToSign } = read(Inputs, options)
        const inputs = inputsToSign.flatMap(({ address, signingIndexes, sigHash }) =>
          signingIndexes.map((index) => ({
            index,
            address,
            ...(sigHash !== undefined && sigHash !== 0 && { sighashTypes: [sigHash] }),
          })),
        )
        const parsed = readPsbt(read(Bytes, psbt), chainOf(owner.permitted().chain).network)
        const signed = await keys.signPsbt(parsed, inputs)
        for (const { index } of inputs) signed.finalizeInput(index)
        return signed.toBuffer()
      }),
    on: (event: string, listener: (data: unknown) => void) => void events.on(event, listener),
    off: events.off,
    removeListener: events.off,
  }
}
