import { fromBase64, sighashType, toBase64 } from '../../adapters/bytes'
import { listOf, member } from '../../adapters/call'
import type { Router } from '../../adapters/router'
import { bytesOf, inSequence } from '../../adapters/standard-features'
import { requestFailure } from '../../shared/failures'
import type { Sign } from '../contract'

/** Source: https://github.com/ExodusMovement/bitcoin-wallet-standard */
export function bitcoinFeatures(router: Router): Readonly<Record<string, Sign>> {
  return {
    'bitcoin:signMessage': inSequence(async ({ account, message }) => {
      const params = { address: member(account, 'address'), message: textOf(message) }
      const answer = await router.request({ method: 'bip122_signMessage', params })
      return { signedMessage: message, signature: fromBase64(member(answer, 'signature')) }
    }),
    'bitcoin:signTransaction': inSequence(async ({ psbt, inputsToSign }) => {
      const signInputs = listOf(inputsToSign).flatMap((each) => {
        const flag = member(each, 'sigHash')
        return listOf(member(each, 'signingIndexes')).map((index) => ({
          index,
          address: member(each, 'account', 'address'),
          ...(typeof flag === 'string' && { sighashTypes: [sighashType(flag)] }),
        }))
      })
      const answer = await router.request({
        method: 'bip122_signPsbt',
        params: { psbt: toBase64(bytesOf(psbt)), signInputs },
      })
      return { signedPsbt: fromBase64(member(answer, 'psbt')) }
    }),
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Rejects bytes that are not UTF-8: the wallet would sign others. @throws INVALID_PARAMS */
function textOf(message: unknown): string {
  const bytes = bytesOf(message)
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw requestFailure('INVALID_PARAMS', cause)
  }
}
