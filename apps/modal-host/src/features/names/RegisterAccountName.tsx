import { shortAddress } from '@postern/chains/text'
import type { CaipNetworkId } from '@postern/protocol'
import { Button } from '@postern/ui/button'
import { Identicon } from '@postern/ui/identicon'
import { List } from '@postern/ui/list'
import { useText } from '@postern/ui/locales/text'
import { plainText } from '@postern/ui/plain-text'
import { Row, RowGlyph, Tag } from '@postern/ui/row'
import { Spinner } from '@postern/ui/spinner'
import { Status } from '@postern/ui/unseen'
import { CheckIcon } from '@postern/ui/view-icons'
import { QueryClientProvider } from '@tanstack/react-query'
import { type FormEvent, useId, useRef } from 'react'
import { useStore } from 'zustand'
import { useHost, useMoney, useSnapshot } from '../../view-kit/host-context'
import { queryClientOf } from '../../view-kit/loading/query-client'
import { useShortErrorMessage } from '../../view-kit/messages/short-error-message'
import { useRedirect } from '../../view-kit/navigation'
import { useFocusFallback } from '../../view-kit/use-focus-fallback'
import { useActiveWalletName } from '../../view-kit/wallets/use-wallet-name'
import { evmAddress, evmNetworkId } from './evm-account'
import { NameIcon } from './NameRow'
import { nameFormOf, register, setTyped } from './name-form'
import { nameReleaseOf } from './name-release'
import { maxLabelLength, type ParsedName, parseName } from './name-rule'
import { OwnNames } from './OwnNames'
import styles from './register-name.module.css'
import { type Availability, useAvailability } from './use-availability'

export default function RegisterAccountName() {
  const host = useHost()
  const address = useSnapshot(evmAddress)
  const networkId = useSnapshot(evmNetworkId)
  const suffix = useSnapshot(({ money }) => money.nameSuffix)
  if (address === null || networkId === null || suffix === null) return null
  return (
    <QueryClientProvider client={queryClientOf(host)}>
      <Form address={address} networkId={networkId} suffix={suffix} />
    </QueryClientProvider>
  )
}

const longInLarge = 24

type FormProps = { readonly address: string; readonly networkId: CaipNetworkId; readonly suffix: string }

function Form({ address, networkId, suffix }: FormProps) {
  const t = useText()
  const errorMessage = useShortErrorMessage()
  const host = useHost()
  const money = useMoney()
  const form = nameFormOf(host, address)
  const typed = useStore(form, (state) => state.typed)
  const attempt = useStore(form, (state) => state.attempt)
  const wallet = useActiveWalletName()
  const name = parseName(typed, suffix)
  const availability = useAvailability(name)
  const isAsking = attempt.kind === 'asking'
  // The wallet handles one request at a time.
  const isGivingUp = useStore(nameReleaseOf(host, address), ({ now }) => now.kind === 'signing')
  const canRegister = name.kind === 'name' && availability.status === 'free' && !isGivingUp

  useRedirect(attempt.kind === 'done' ? 'RegisterAccountNameSuccess' : null)

  const place = useRef<HTMLFormElement>(null)
  useFocusFallback(place, String(availability.suggestions.length > 0))

  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (name.kind === 'name' && canRegister) void register(host, { name: name.name, address, networkId }, money)
  }

  return (
    <form ref={place} className={styles.form} noValidate onSubmit={submit} tabIndex={-1}>
      <div className={styles.preview}>
        <Identicon address={address} />
        <p
          className={styles.name}
          data-empty={name.kind !== 'name' || undefined}
          data-long={(name.kind === 'name' && name.name.length > longInLarge) || undefined}
          aria-hidden={name.kind !== 'name' || undefined}
        >
          <bdi>{name.kind === 'name' ? name.name : `${t('names.placeholder')}${suffix}`}</bdi>
        </p>
        <p className={styles.address} title={address}>
          <bdi>{shortAddress(address)}</bdi>
        </p>
      </div>
      <div className={styles.entry}>
        <Field
          typed={typed}
          suffix={suffix}
          name={name}
          availability={availability}
          disabled={isAsking}
          onType={(text) => setTyped(form, text)}
        />
        {availability.suggestions.length > 0 && (
          <Suggestions names={availability.suggestions} onChoose={(text) => setTyped(form, readLabel(text, suffix))} />
        )}
      </div>
      <div className={styles.end}>
        {attempt.kind === 'failed' && (
          <p className={styles.failure} role="alert">
            {attempt.code === 'USER_REJECTED' ? t('names.declined') : errorMessage(attempt)}
          </p>
        )}
        {availability.status === 'failed' ? (
          <Button tone="primary" onPress={availability.retry}>
            {t('tryAgain')}
          </Button>
        ) : (
          <Button tone="primary" busy={isAsking} disabled={!canRegister} onPress={() => submit()}>
            {isAsking ? t('names.confirm', { wallet }) : t('names.register')}
          </Button>
        )}
        <p className={styles.note}>{t('names.public')}</p>
      </div>
      <OwnNames address={address} networkId={networkId} wallet={wallet} busy={isAsking} />
    </form>
  )
}

type FieldProps = {
  readonly typed: string
  readonly suffix: string
  readonly name: ParsedName
  readonly availability: Availability
  readonly disabled: boolean
  readonly onType: (text: string) => void
}

function Field({ typed, suffix, name, availability: { status }, disabled, onType }: FieldProps) {
  const t = useText()
  const id = useId()
  const message = useWords(name, status)
  const isWrong = message.tone === 'bad'
  return (
    <>
      <label className={styles.field} data-bad={isWrong || undefined} dir="ltr">
        <input
          className={styles.input}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="done"
          maxLength={maxLabelLength + suffix.length}
          placeholder={t('names.placeholder')}
          aria-label={t('names.label')}
          aria-invalid={isWrong || undefined}
          aria-describedby={`${id}-said`}
          value={typed}
          readOnly={disabled}
          onChange={(event) => onType(event.target.value)}
          data-first
        />
        <span className={styles.suffix} aria-hidden="true">
          {suffix}
        </span>
        <span className={styles.mark}>
          {status === 'asking' && <Spinner />}
          {status === 'free' && <CheckIcon className={styles.free} />}
        </span>
      </label>
      <p id={`${id}-said`} className={styles.said} data-tone={message.tone}>
        {message.text}
      </p>
      <Status>{message.tone === 'neutral' ? '' : message.text}</Status>
    </>
  )
}

type Said = { readonly tone: 'neutral' | 'good' | 'bad'; readonly text: string }

function useWords(name: ParsedName, status: Availability['status']): Said {
  const t = useText()
  switch (name.kind) {
    case 'empty':
    case 'short':
      return { tone: 'neutral', text: t('names.rule') }
    case 'long':
      return { tone: 'bad', text: t('names.long') }
    case 'characters':
      return { tone: 'bad', text: t('names.characters') }
    case 'hyphen':
      return { tone: 'bad', text: t('names.hyphen') }
    case 'name':
      if (status === 'free') return { tone: 'good', text: t('names.free') }
      if (status === 'taken') return { tone: 'bad', text: t('names.taken') }
      if (status === 'failed') return { tone: 'bad', text: t('names.unreachable') }
      return { tone: 'neutral', text: t('names.asking') }
  }
}

function Suggestions({
  names,
  onChoose,
}: {
  readonly names: readonly string[]
  readonly onChoose: (name: string) => void
}) {
  const t = useText()
  return (
    <List label={t('names.suggestions')}>
      {names.map((name) => (
        <li key={name}>
          <Row
            icon={
              <RowGlyph>
                <NameIcon />
              </RowGlyph>
            }
            title={plainText(name)}
            trailing={<Tag tone="active">{t('names.isFree')}</Tag>}
            onPress={() => onChoose(name)}
          />
        </li>
      ))}
    </List>
  )
}

function readLabel(name: string, suffix: string): string {
  const read = parseName(name, suffix)
  return read.kind === 'name' ? read.label : name
}
