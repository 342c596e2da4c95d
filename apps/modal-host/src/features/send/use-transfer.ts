import { exactUnits } from '@postern/chains/format'
import { plainText } from '@postern/ui/plain-text'
import { useEffect, useRef, useState } from 'react'
import type { HostSnapshot } from '../../snapshot/contract'
import { allHeld } from '../../view-kit/held'
import { useHost, useSnapshot } from '../../view-kit/host-context'
import { useMoney } from '../../view-kit/use-money'
import { asFailure } from '../../view-kit/view-error'
import { checkAmount, type SendProblem } from './check'
import type { Reviewed } from './send-form'
import { useOpenedDraft } from './use-opened-draft'
import type { Quote } from './ways/way'

/** Timeout for the chain's last answer before the wallet is asked, in ms. */
const questionTimeout = 30_000

export type TransferDraft = Omit<Reviewed, 'name'> & { readonly kind: 'send' | 'pay' }

export type Transfer = {
  /** In smallest units; for a payment enough that the requested amount arrives. */
  readonly amount: bigint
  readonly quote: Quote | null
  /** The request failed, and nothing is cached. */
  readonly isUnreachable: boolean
  readonly problem: SendProblem | null
  readonly isHere: boolean
  readonly busy: boolean
  /** Why the wallet was not asked. */
  readonly failure: ReturnType<typeof asFailure> | null
  retry(): void
  /**
   * Passes the transaction's id to `then`. Cancelled if meanwhile the view closes, the wallet moves on, or `isMeant`
   * returns false.
   */
  ask(isMeant: (now: HostSnapshot) => boolean, then: (id: string) => void): Promise<void>
}

export function useTransfer({ kind, network, account, token, amount: said, to, choice }: TransferDraft): Transfer {
  const host = useHost()
  const money = useMoney()
  const { opened, failed, retry } = useOpenedDraft({ network, account, token, to, amount: said })
  const amount = kind === 'pay' ? (opened?.leavingFor?.(said) ?? said) : said
  const quote = opened?.quote(amount, choice) ?? null
  const isHeldHere = ({ connections }: HostSnapshot) =>
    allHeld({ connections }).some(
      (held) => held.account.address === account.address && held.networkId === network.caipNetworkId,
    )
  const isHere = useSnapshot(isHeldHere)
  const isOnShow = useIsOnShow()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Transfer['failure']>(null)

  async function ask(isMeant: (now: HostSnapshot) => boolean, then: (id: string) => void): Promise<void> {
    if (opened === null || busy) return
    setBusy(true)
    setFailure(null)
    try {
      const question = await opened.question(amount, choice, AbortSignal.timeout(questionTimeout))
      const now = host.store.getState()
      if (isOnShow.current && isMeant(now) && isHeldHere(now)) {
        const decimal = exactUnits(amount, token.decimals)
        const purpose = { kind, amount: decimal, symbol: plainText(token.symbol, 12), to }
        then(money.transact({ networkId: network.caipNetworkId, ...question, purpose }))
      }
    } catch (thrown) {
      setFailure(asFailure(thrown))
    }
    setBusy(false)
  }

  const problem = quote === null ? null : checkAmount(amount, quote)
  return { amount, quote, isUnreachable: failed, problem, isHere, busy, failure, retry, ask }
}

/** Whether the view is still mounted, for code after an await. */
function useIsOnShow(): { readonly current: boolean } {
  const isOnShow = useRef(false)
  useEffect(() => {
    isOnShow.current = true
    return () => {
      isOnShow.current = false
    }
  }, [])
  return isOnShow
}
