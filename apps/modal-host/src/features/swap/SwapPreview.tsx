import { Button, ButtonPair } from '@postern/ui/button'
import { Disclosure } from '@postern/ui/disclosure'
import { Facts } from '@postern/ui/facts'
import { useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { Status } from '@postern/ui/unseen'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useHost, useSnapshot } from '../../view-kit/host-context'
import { queryClientOf } from '../../view-kit/loading/query-client'
import { useNavigation, useRedirect } from '../../view-kit/navigation'
import { useFocusFallback } from '../../view-kit/use-focus-fallback'
import { useActiveWalletName } from '../../view-kit/wallets/use-wallet-name'
import { shownTransaction } from '../transaction/shown-transaction'
import { Agreement } from './Agreement'
import { coversFee } from './form-status'
import { ImpactNotice } from './ImpactNotice'
import { FeeFact, Headline, Holds, OrderNetwork } from './OrderFacts'
import type { SwapOrder, SwapPlan } from './plan'
import { ExchangeFact, MinReceivedFact, QuoteFacts } from './QuoteFacts'
import { impactOf, lossOf } from './quote'
import { ChangedNotice, StoppedNotice } from './RunNotice'
import { Steps } from './Steps'
import styles from './swap.module.css'
import type { Run } from './swap-flow'
import { ownCurrency, usePlan, useSwapFlow, useSwapper, useSwapState, useTokenBalance } from './use-swap'

export default function SwapPreview() {
  const host = useHost()
  const order = useSwapState((state) => state.order)
  useRedirect(order === null ? 'Swap' : null)
  if (order === null) return null
  return (
    <QueryClientProvider client={queryClientOf(host)}>
      <Review order={order} />
    </QueryClientProvider>
  )
}

function Review({ order }: { readonly order: SwapOrder }) {
  const t = useText()
  const run = useSwapState((state) => state.run)
  const approved = useSwapState((state) => state.approved)
  const plan = usePlan(order)
  const native = useTokenBalance(order, ownCurrency)
  const isAskedAtOnce = useAskAtOnce(order, plan)
  const text = useBusyText(run, order)
  const busy = text ?? (isAskedAtOnce ? t('swap.checking') : null)
  const isThere = useIsThere(order)
  const loss = lossOf(order, order.quote, order.prices)
  // A new price needs a new agreement.
  const [agreed, setAgreed] = useState<string | null>(null)
  const isSevere = impactOf(loss?.percent ?? null) === 'severe'
  const isAgreed = !isSevere || agreed === loss?.percent
  const isShort = coversFee(order, native, plan?.fee ?? null) === false
  const place = useRef<HTMLDivElement>(null)
  useFocusFallback(place, run.kind)
  useShowSent(run)
  const approvals = plan?.approvals.length ?? 0
  const approves = !approved && approvals > 0
  return (
    <div ref={place} className={styles.swap} tabIndex={-1}>
      <Headline order={order} />
      {run.kind === 'changed' && <ChangedNotice order={order} before={run.before} approved={approved} />}
      {run.kind === 'stopped' && <StoppedNotice order={order} step={run.step} stop={run.stop} approved={approved} />}
      {isShort && busy === null && <ShortNotice order={order} />}
      {!isThere && busy === null && <Notice tone="warn" title={t('swap.moved')} text={t('swap.movedText')} />}
      <ImpactNotice loss={loss}>
        {isSevere && busy === null && (
          <Agreement checked={isAgreed} onChange={(isOn) => setAgreed(isOn ? (loss?.percent ?? null) : null)} />
        )}
      </ImpactNotice>
      {(approves || approved) && (
        <Steps order={order} run={run} approved={approved} together={plan?.atomic === true} takesBack={approvals > 1} />
      )}
      <Facts label={t('approve.details')}>
        <MinReceivedFact request={order} quote={order.quote} />
        <FeeFact order={order} plan={plan} />
        <ExchangeFact quote={order.quote} />
      </Facts>
      <Disclosure title={t('swap.more')}>
        <Facts label={t('swap.more')}>
          <QuoteFacts request={order} quote={order.quote} />
          <OrderNetwork order={order} />
        </Facts>
      </Disclosure>
      <Status>{busy ?? ''}</Status>
      <div className={styles.decision}>
        {run.kind === 'idle' && isThere && <Holds order={order} />}
        {busy !== null ? (
          <Button tone="primary" busy onPress={() => undefined}>
            {busy}
          </Button>
        ) : (
          <Decision run={run} isThere={isThere} disabled={!isAgreed || isShort} approves={approves} />
        )}
      </div>
    </div>
  )
}

/**
 * Asks the embedded wallet at once if it asks the user only once, the fee is covered, and no loss needs the user's
 * agreement: its own approval is the review. True until it was asked.
 */
function useAskAtOnce(order: SwapOrder, plan: SwapPlan | null | undefined): boolean {
  const flow = useSwapFlow()
  const isIdle = useSwapState(({ run }) => run.kind === 'idle')
  const isThere = useIsThere(order)
  const native = useTokenBalance(order, ownCurrency)
  const isSevere = impactOf(lossOf(order, order.quote, order.prices)?.percent ?? null) === 'severe'
  const isOnce = plan === undefined || (plan !== null && (plan.approvals.length === 0 || plan.atomic))
  const isShort = coversFee(order, native, plan?.fee ?? null) === false
  const [askedOrder, setAskedOrder] = useState<SwapOrder | null>(null)
  const isWanted = order.isEmbedded && isIdle && isThere && !isSevere && isOnce && !isShort && askedOrder === null
  const isReady = isWanted && plan !== undefined
  useEffect(() => {
    if (!isReady) return
    setAskedOrder(order)
    void flow.confirm()
  }, [isReady, flow, order])
  return isWanted
}

type DecisionProps = {
  readonly run: Run
  readonly isThere: boolean
  readonly disabled: boolean
  readonly approves: boolean
}

function Decision({ run, isThere, disabled, approves }: DecisionProps) {
  const t = useText()
  const flow = useSwapFlow()
  const { back, replace } = useNavigation()
  if (!isThere)
    return (
      <Button tone="primary" onPress={() => replace('Swap')}>
        {t('swap.startOver')}
      </Button>
    )
  return (
    <ButtonPair>
      <Button tone="secondary" onPress={back}>
        {t('back')}
      </Button>
      <Button tone="primary" disabled={disabled} onPress={() => void flow.confirm()}>
        {run.kind === 'changed'
          ? t('swap.accept')
          : run.kind === 'stopped'
            ? t('tryAgain')
            : t(approves ? 'swap.allowAndSwap' : 'swap.confirm')}
      </Button>
    </ButtonPair>
  )
}

function ShortNotice({ order: { networkId } }: { readonly order: SwapOrder }) {
  const t = useText()
  const symbol = useSnapshot(
    ({ networks }) => networks.find(({ caipNetworkId }) => caipNetworkId === networkId)?.nativeCurrency.symbol ?? '',
  )
  return <Notice tone="bad" title={t('swap.feeShort', { symbol })} text={t('swap.feeShortText')} />
}

function useBusyText(run: Run, { networkId }: SwapOrder): string | null {
  const t = useText()
  const isAsking = useSnapshot(({ transactions }) =>
    run.kind === 'waiting' ? (transactions.find(({ id }) => id === run.transaction)?.status.kind ?? 'asking') : null,
  )
  const network = useSnapshot(
    ({ networks }) => networks.find(({ caipNetworkId }) => caipNetworkId === networkId)?.name ?? networkId,
  )
  const wallet = useActiveWalletName()
  if (run.kind === 'checking') return t('swap.checking')
  if (run.kind === 'sent') return t('approve.sent')
  if (run.kind !== 'waiting') return null
  return isAsking === 'asking' ? t('swap.inWallet', { wallet }) : t('swap.onChain', { network })
}

function useIsThere({ networkId, address }: SwapOrder): boolean {
  const found = useSwapper()
  return found?.swapper.networkId === networkId && found.swapper.account.address === address
}

function useShowSent(run: Run): void {
  const host = useHost()
  const id = run.kind === 'sent' ? run.transaction : null
  useLayoutEffect(() => {
    if (id !== null) shownTransaction(host).setState({ id })
  }, [id, host])
  useRedirect(id === null ? null : 'TransactionProgress')
}
