import { TextButton } from '@postern/ui/button'
import { useLocale, useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { AskingRow, Question } from '@postern/ui/question'
import { PlainRow, RowGlyph } from '@postern/ui/row'
import { Section } from '@postern/ui/section'
import { Unseen } from '@postern/ui/unseen'
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { useHost, useMoney } from '../../view-kit/host-context'
import { useShortErrorMessage } from '../../view-kit/messages/short-error-message'
import { useFocusFallback } from '../../view-kit/use-focus-fallback'
import { NameIcon } from './NameRow'
import { confirmRelease, type NameRelease, nameReleaseOf, release } from './name-release'
import { useOwnNames } from './own-names'
import type { Registration } from './register'
import styles from './register-name.module.css'

type OwnNamesProps = Omit<Registration, 'name'> & {
  readonly wallet: string
  readonly busy: boolean
}

export function OwnNames({ address, networkId, wallet, busy }: OwnNamesProps) {
  const t = useText()
  const host = useHost()
  const money = useMoney()
  const names = useOwnNames(address)
  const store = nameReleaseOf(host, address)
  const now = useStore(store, (state) => state.now)
  useEffect(() => () => confirmRelease(store, null), [store])
  const place = useRef<HTMLDivElement>(null)
  useFocusFallback(place, `${names.length} ${now.kind} ${'name' in now && now.name}`)
  const isSigning = now.kind === 'signing'
  return (
    <div ref={place} className={styles.own} tabIndex={-1}>
      {now.kind === 'done' && <GivenUp {...now} />}
      {names.length > 0 && (
        <Section title={t('names.own', { count: names.length })}>
          <ul className={styles.names}>
            {names.map((name) => (
              <li key={name}>
                <AskingRow>
                  <PlainRow
                    icon={
                      <RowGlyph>
                        <NameIcon />
                      </RowGlyph>
                    }
                    title={name}
                    {...(!busy &&
                      !isSigning &&
                      !isAbout(now, name) && {
                        trailing: (
                          <TextButton onPress={() => confirmRelease(store, name)}>
                            {t('names.giveUp')} <Unseen>{name}</Unseen>
                          </TextButton>
                        ),
                      })}
                  />
                  {isAbout(now, name) && (
                    <AboutLoss
                      now={now}
                      wallet={wallet}
                      onKeep={() => confirmRelease(store, null)}
                      onGiveUp={() => void release(host, { name, address, networkId }, money)}
                    />
                  )}
                </AskingRow>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  )
}

type About = Extract<NameRelease, { readonly kind: 'asking' | 'signing' | 'failed' }>

function isAbout(now: NameRelease, name: string): now is About {
  return now.kind !== 'none' && now.kind !== 'done' && now.name === name
}

type AboutLossProps = {
  readonly now: About
  readonly wallet: string
  readonly onKeep: () => void
  readonly onGiveUp: () => void
}

function AboutLoss({ now, wallet, onKeep, onGiveUp }: AboutLossProps) {
  const t = useText()
  const errorMessage = useShortErrorMessage()
  return (
    <Question
      text={now.kind === 'signing' ? t('names.confirm', { wallet }) : t('names.loss', { name: now.name })}
      failure={now.kind !== 'failed' ? null : now.code === 'USER_REJECTED' ? t('names.stays') : errorMessage(now)}
      cancelLabel={t('names.keep')}
      onKeep={onKeep}
      confirmLabel={now.kind === 'failed' ? t('tryAgain') : t('names.giveUp')}
      onTake={onGiveUp}
      busy={now.kind === 'signing'}
    />
  )
}

function GivenUp({ name, freeFrom }: Extract<NameRelease, { readonly kind: 'done' }>) {
  const t = useText()
  const locale = useLocale()
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(freeFrom)
  return (
    <div role="status">
      <Notice tone="info" title={t('names.gone', { name })} text={t('names.freeFrom', { date })} />
    </div>
  )
}
