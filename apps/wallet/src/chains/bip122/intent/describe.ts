import { readFeeEstimates, readHeight } from '@postern/chains/bip122/esplora'
import type { ApprovalRequest, ApprovalSubject } from '@postern/protocol'
import { type Decoded, notDecoded, unknownChanges } from '../../../intent/decoded'
import type { DescribeContext } from '../../../intent/intent'
import { type BitcoinChain, readPsbt } from './psbt'

type BitcoinSubject = Extract<ApprovalSubject, { kind: 'bip122.psbt' }>

export function decodeBitcoin(
  subject: BitcoinSubject,
  networkId: ApprovalRequest['networkId'],
  native: DescribeContext['nativeCurrency'],
  chain?: BitcoinChain,
): Decoded {
  const read = readPsbt(subject, networkId, subject.address, chain)
  if (read === null) return notDecoded(subject.psbt)
  const { step, fee, changes, warnings } = read
  return {
    steps: [step],
    fee: fee === null ? 'unknown' : { amount: { raw: `${fee}`, ...native }, sponsored: false },
    changes: changes === null ? unknownChanges : { kind: 'known', changes },
    warnings,
  }
}

export async function askBitcoin(
  subject: BitcoinSubject,
  networkId: ApprovalRequest['networkId'],
  { clientOf, nativeCurrency, signal }: DescribeContext,
): Promise<Decoded> {
  const { esplora } = clientOf(networkId)
  const [estimates, height] = await Promise.all([
    readFeeEstimates(esplora, signal).catch(() => ({})),
    readHeight(esplora, signal).catch(() => null),
  ])
  const rates = Object.values<number>(estimates)
  const feeRate = rates.length === 0 ? null : Math.max(...rates)
  return decodeBitcoin(subject, networkId, nativeCurrency, { feeRate, height })
}
