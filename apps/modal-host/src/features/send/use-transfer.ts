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

/** For what the chain says of a transfer that is about to be asked for, in ms. */
const questionTimeout = 30_000

export type TransferDraft = Omit<Reviewed, 'name'> & { readonly kind: 'send' | 'pay' }

export type Transfer = {
  /** What leaves, in smallest units: of a payment so much that what was asked for arrives, else what was said. */
  readonly amount: bigint
  /** Null until the chain was asked. */
  readonly quote: Quote | null
  /** Nobody answers, and nothing is known. */
  readonly isUnreachable: boolean
  readonly problem: SendProblem | null
  /** Whether the wallet is where it was, with the account that is shown. */
  readonly isHere: boolean
  readonly busy: boolean
  /** Why the wallet was not asked. */
  readonly failure: ReturnType<typeof asFailure> | null
  retry(): void
  /**
   * Asks the wallet, and gives the transaction to `then`. Nobody means it any more who left, whose wallet moved on, or of whom `isMeant` says so, while the
   * chain was asked: then nothing is asked for.
   */
  ask(isMeant: (now: HostSnapshot) => boolean, then: (id: string) => void): Promise<void>
}

/** A transfer on its last look: what the chain says of it, and the question to the wallet. */
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

/** For what goes on after a wait. */
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
