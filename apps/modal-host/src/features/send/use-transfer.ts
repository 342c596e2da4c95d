import { exactUnits } from '@postern/chains/format'
import { plainText } from '@postern/ui/plain-text'
import { useEffect, useRef, useState } from 'react'
import type { HostSnapshot } from '../../snapshot/contract'
import { connectedAccounts } from '../../view-kit/connected-account'
import { useHost, useMoney, useSnapshot } from '../../view-kit/host-context'
import { readError } from '../../view-kit/messages/read-error'
import { checkAmount, type SendProblem } from './check'
import type { Reviewed } from './send-form'
import type { PreparedTransfer, Quote } from './senders/sender'
import { usePreparedTransfer } from './use-prepared-transfer'

/** Limits the chain's last answer before the wallet is asked. */
const requestTimeoutMs = 30_000

export type TransferDraft = Omit<Reviewed, 'name'> & { readonly kind: 'send' | 'pay' }

export type Transfer = {
  /** In smallest units: with `all` the quote's max; for a payment, enough that the requested amount arrives. */
  readonly amount: bigint
  readonly quote: Quote | null
  readonly isUnreachable: boolean
  readonly problem: SendProblem | null
  readonly isOnNetwork: boolean
  readonly busy: boolean
  readonly failure: ReturnType<typeof readError> | null
  retry(): void
  /**
   * `then` gets the transaction's id. Cancelled if the view closes, the wallet moves on, or `isCurrent` returns false.
   */
  requestTransfer(isCurrent: (now: HostSnapshot) => boolean, then: (id: string) => void): Promise<void>
}

export function useTransfer(draft: TransferDraft): Transfer {
  const { kind, network, account, token, amount: requested, to, choice } = draft
  const host = useHost()
  const money = useMoney()
  const { prepared, failed, retry } = usePreparedTransfer({ network, account, token, to, amount: requested })
  const amount = prepared === null ? requested : transferAmount(draft, prepared)
  const quote = prepared?.quote(amount, choice) ?? null
  const checkNetwork = ({ connections }: HostSnapshot) =>
    connectedAccounts({ connections }).some(
      (connected) => connected.account.address === account.address && connected.networkId === network.caipNetworkId,
    )
  const isOnNetwork = useSnapshot(checkNetwork)
  const isMounted = useIsMounted()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Transfer['failure']>(null)

  async function requestTransfer(isCurrent: (now: HostSnapshot) => boolean, then: (id: string) => void): Promise<void> {
    if (prepared === null || busy) return
    setBusy(true)
    setFailure(null)
    try {
      const request = await prepared.request(amount, choice, AbortSignal.timeout(requestTimeoutMs))
      const now = host.store.getState()
      if (isMounted.current && isCurrent(now) && checkNetwork(now)) {
        const decimal = exactUnits(amount, token.decimals)
        const purpose = { kind, amount: decimal, symbol: plainText(token.symbol, 12), to }
        then(money.transact({ networkId: network.caipNetworkId, ...request, purpose }))
      }
    } catch (thrown) {
      setFailure(readError(thrown))
    }
    setBusy(false)
  }

  const problem = quote === null ? null : checkAmount(amount, quote)
  return { amount, quote, isUnreachable: failed, problem, isOnNetwork, busy, failure, retry, requestTransfer }
}

/**
 * Amount and fee come from the same answers: an earlier block's max would not leave room for the fee. If nothing is
 * left, `requested` stays and {@link checkAmount} reports it.
 */
export function transferAmount(
  { kind, all, amount: requested, choice }: Pick<TransferDraft, 'kind' | 'all' | 'amount' | 'choice'>,
  prepared: Pick<PreparedTransfer, 'quote' | 'preFeeAmount'>,
): bigint {
  if (kind === 'pay') return prepared.preFeeAmount?.(requested) ?? requested
  const { max, min } = prepared.quote(requested, choice)
  return all && max >= min ? max : requested
}

function useIsMounted(): { readonly current: boolean } {
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return isMounted
}
