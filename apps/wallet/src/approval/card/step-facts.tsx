import { isRevocation } from '@postern/chains/amount'
import { dateText } from '@postern/chains/amount-text'
import { signInProviderNames } from '@postern/protocol'
import { Fact } from '@postern/ui/facts'
import { FullAddress } from '@postern/ui/full-address'
import { useLocale, useText } from '@postern/ui/locales/text'
import { Tag } from '@postern/ui/row'
import { SiteSentence, SiteText } from '@postern/ui/site-text'
import { Fragment, type ReactNode } from 'react'
import type { Amount, Field, IntentStep, SignInGrant } from '../../intent/intent'
import { AmountText } from './amount-text'
import styles from './approval.module.css'
import { Fields } from './fields'
import { OwnTag } from './own-addresses'
import { withIndex } from './with-index'

type Of<K extends IntentStep['kind']> = Extract<IntentStep, { kind: K }>

export function StepFacts({ step }: { readonly step: IntentStep }): ReactNode {
  const t = useText()
  switch (step.kind) {
    case 'transfer':
      return (
        <>
          <AmountFact name={t(step.amount.tokenId === undefined ? 'fact.amount' : 'fact.item')} amount={step.amount} />
          {step.withheld !== undefined && <WithheldFacts amount={step.amount} withheld={step.withheld} />}
          <AddressFact name={t('fact.to')} address={step.to} />
          <EndFact name={t('fact.validUntil')} end={step.deadline} />
        </>
      )
    case 'approve':
    case 'permit':
      return (
        <>
          <AmountFact name={t(step.amount.tokenId === undefined ? 'fact.limit' : 'fact.item')} amount={step.amount} />
          <AddressFact name={t('fact.spender')} address={step.spender} />
          {!isRevocation(step.spender, step.amount) && <ExpiryFact expiry={step.expiry} />}
          {step.kind === 'permit' && <EndFact name={t('fact.validUntil')} end={step.deadline} />}
          {'contract' in step && step.contract !== undefined && (
            <AddressFact name={t('fact.contract')} address={step.contract} />
          )}
          {'domain' in step && step.domain !== undefined && <DomainFields domain={step.domain} />}
        </>
      )
    case 'increase':
      return <IncreaseFacts step={step} />
    case 'approveAll':
      return (
        <>
          <AddressFact name={t('fact.collection')} address={step.token} />
          <AddressFact name={t('fact.spender')} address={step.spender} />
        </>
      )
    case 'swap':
      return <SwapFacts step={step} />
    case 'cancel':
      return withIndex(step.cancelled).map(({ index, item }) => <StepFacts key={index} step={item} />)
    case 'deploy':
      return <Fact name={t('step.deployText')} tall />
    case 'create':
      return (
        <>
          <Fact name={t('fact.code')}>{t('fact.codeSize', { count: step.bytes })}</Fact>
          <AmountFact name={t('fact.value')} amount={step.value} />
        </>
      )
    case 'signIn':
      return (
        <>
          <Fact name={t('fact.site')}>
            <SiteText text={step.domain} />
          </Fact>
          {step.statement !== undefined && <TextFact text={step.statement} />}
          {step.grants !== undefined && <GrantFacts grants={step.grants} />}
          <Fields fields={step.fields} />
        </>
      )
    case 'message':
      return step.isText ? (
        <TextFact text={step.text} />
      ) : (
        <Fact name={t('fact.bytes')} tall>
          <textarea
            className={styles.rawText}
            readOnly
            rows={4}
            dir="auto"
            aria-label={t('fact.bytes')}
            value={step.text}
          />
        </Fact>
      )
    case 'typedData':
      return <TypedDataFacts step={step} />
    case 'call':
      return <CallFacts step={step} />
    case 'instruction':
      return (
        <>
          {step.name !== undefined && (
            <Fact name={t('fact.instruction')}>
              <SiteText text={step.name} />
            </Fact>
          )}
          <AddressFact name={t('fact.program')} address={step.program} />
          <Fields fields={step.fields} />
        </>
      )
    case 'user':
      return (
        <>
          {step.email !== undefined && (
            <Fact name={t('email.label')} tall>
              <SiteText text={step.email} />
            </Fact>
          )}
          <Fact name={t('fact.signedInWith')}>
            {step.provider === 'email' ? t('fact.byEmail') : signInProviderNames[step.provider]}
          </Fact>
          <Fact name={t('fact.sharedUntil')} tall />
        </>
      )
    case 'order':
      return <OrderFacts step={step} />
    case 'outputs':
      return <OutputFacts step={step} />
    case 'permission':
      return (
        <>
          <Fact name={t('fact.permission')}>
            <SiteText text={step.type} />
          </Fact>
          {step.amount !== undefined && <AmountFact name={t('fact.limit')} amount={step.amount} />}
          {step.signer !== undefined && <AddressFact name={t('fact.signer')} address={step.signer} />}
          <ExpiryFact expiry={step.expiry} />
          <Fields fields={step.fields} />
        </>
      )
  }
}

function GrantFacts({ grants }: { readonly grants: readonly SignInGrant[] }) {
  const t = useText()
  return withIndex(grants).map(({ index, item: { resource, abilities } }) => (
    <Fact key={index} name={t('fact.allows')} tall tone="warn">
      <p className={styles.message} dir="auto">
        <SiteSentence
          of={(site) =>
            abilities === null
              ? t('fact.unreadGrant', { resource: site(resource) })
              : t('fact.grant', { abilities: site(abilities.join(', ')), resource: site(resource) })
          }
        />
      </p>
    </Fact>
  ))
}

function WithheldFacts({ amount, withheld }: { readonly amount: Amount; readonly withheld: Amount }) {
  const t = useText()
  const arrives = { ...amount, raw: `${BigInt(amount.raw) - BigInt(withheld.raw)}` }
  return (
    <>
      <AmountFact name={t('fact.withheld')} amount={withheld} plain />
      <AmountFact name={t('fact.arrives')} amount={arrives} plain />
    </>
  )
}

function SwapFacts({ step }: { readonly step: Of<'swap'> }) {
  const t = useText()
  return (
    <>
      <AmountFact name={t('fact.pay')} amount={step.pay} />
      <AmountFact name={t('fact.receive')} amount={step.receiveAtLeast} />
      <AddressFact name={t('fact.recipient')} address={step.recipient} />
      <AddressFact name={t('fact.contract')} address={step.contract} />
    </>
  )
}

function OrderFacts({ step }: { readonly step: Of<'order'> }) {
  const t = useText()
  return (
    <>
      {withIndex(step.gives).map(({ index, item }) => (
        <AmountFact key={index} name={t('fact.give')} amount={item} />
      ))}
      {withIndex(step.gets).map(({ index, item: { amount, to } }) => (
        <Fragment key={index}>
          <AmountFact name={t('fact.paid')} amount={amount} />
          <AddressFact name={t('fact.to')} address={to} />
        </Fragment>
      ))}
      <AddressFact name={t('fact.contract')} address={step.contract} />
      <ExpiryFact expiry={step.expiry} />
    </>
  )
}

function TypedDataFacts({ step }: { readonly step: Of<'typedData'> }) {
  const t = useText()
  return (
    <>
      <Fact name={t('fact.type')}>
        <SiteText text={step.primaryType} />
      </Fact>
      <Fields fields={step.fields} />
      <DomainFields domain={step.domain} />
    </>
  )
}

function DomainFields({ domain }: { readonly domain: readonly Field[] }) {
  const t = useText()
  return <Fields fields={[{ name: t('fact.domain'), value: domain }]} />
}

function IncreaseFacts({ step }: { readonly step: Of<'increase'> }) {
  const t = useText()
  return (
    <>
      <AmountFact name={t('fact.adds')} amount={step.amount} plain />
      {step.total === undefined ? (
        <Fact name={t('fact.newLimit')} tone="warn">
          {t('fact.unknown')}
        </Fact>
      ) : (
        <AmountFact name={t('fact.newLimit')} amount={step.total} plain />
      )}
      {step.amount.token !== undefined && <AddressFact name={t('fact.token')} address={step.amount.token} />}
      <AddressFact name={t('fact.spender')} address={step.spender} />
    </>
  )
}

function CallFacts({ step }: { readonly step: Of<'call'> }) {
  const t = useText()
  return (
    <>
      {step.name !== undefined && (
        <Fact name={t('fact.function')}>
          <SiteText text={step.name} />
        </Fact>
      )}
      <AddressFact name={t('fact.contract')} address={step.contract} />
      {!/^0*$/.test(step.value.raw) && <AmountFact name={t('fact.value')} amount={step.value} />}
      <Fields fields={step.fields} />
    </>
  )
}

function OutputFacts({ step }: { readonly step: Of<'outputs'> }) {
  const t = useText()
  return (
    <>
      {step.gives !== undefined && <AmountFact name={t('fact.give')} amount={step.gives} plain />}
      {withIndex(step.outputs).map(({ index, item: { to, amount, own } }) => (
        <Fact
          key={index}
          name={
            <span className={styles.output}>
              <AmountText amount={amount} />
              {own && <Tag tone="active">{t('fact.own')}</Tag>}
            </span>
          }
          tall
        >
          <AddressOrScript address={to} />
        </Fact>
      ))}
      {step.fee !== undefined && <AmountFact name={t('fact.fee')} amount={step.fee} plain />}
    </>
  )
}

function AmountFact({
  name,
  amount,
  plain = false,
}: {
  readonly name: string
  readonly amount: Amount
  readonly plain?: boolean
}) {
  const t = useText()
  return (
    <>
      <Fact name={name} {...(amount.unlimited && { tone: 'warn' as const })}>
        <AmountText amount={amount} />
      </Fact>
      {amount.token !== undefined && !plain && !amount.everything && (
        <AddressFact name={t('fact.token')} address={amount.token} />
      )}
    </>
  )
}

function AddressFact({ name, address }: { readonly name: string; readonly address: string }) {
  return (
    <Fact name={name} tall {...(!isAddress(address) && { tone: 'warn' as const })}>
      <AddressOrScript address={address} /> <OwnTag address={address} />
    </Fact>
  )
}

function AddressOrScript({ address }: { readonly address: string }) {
  const t = useText()
  if (isAddress(address)) return <FullAddress address={address} />
  return (
    <span className={styles.field}>
      {t('fact.unknownAddress')}: <SiteText text={address} />
    </span>
  )
}

function isAddress(text: string): boolean {
  return /^[0-9a-zA-Z]+$/.test(text)
}

function ExpiryFact({ expiry }: { readonly expiry: number | undefined }) {
  return <EndFact name={useText()('fact.expires')} end={expiry} />
}

function EndFact({ name, end }: { readonly name: string; readonly end: number | undefined }) {
  const t = useText()
  const locale = useLocale()
  if (end === undefined) return null
  const date = dateText(end, locale)
  return (
    <Fact name={name} {...(date === null && { tone: 'warn' as const })}>
      {date ?? t('fact.never')}
    </Fact>
  )
}

function TextFact({ text }: { readonly text: string }) {
  const t = useText()
  return (
    <Fact name={t('fact.text')} tall>
      <SiteText lines text={text} className={styles.message} />
    </Fact>
  )
}
