import type { WalletDevice } from '@postern/protocol'
import { TextButton } from '@postern/ui/button'
import { DeviceIcon } from '@postern/ui/icons-later'
import { useLocale, useText } from '@postern/ui/locales/text'
import { AskingRow, Question } from '@postern/ui/question'
import { PlainRow, RowGlyph, Tag } from '@postern/ui/row'
import { useRef, useState } from 'react'
import { useErrorMessage } from '../../../view-kit/error-message'
import { useActions } from '../../../view-kit/host-context'
import { readError } from '../../../view-kit/read-error'
import { useFocusFallback } from '../../../view-kit/use-focus-fallback'
import styles from './WalletSecurity.module.css'

/** The device to confirm, or being removed. */
type Revoking = { readonly id: string; readonly step: 'asking' | 'removing' }

export function Devices({ devices }: { readonly devices: readonly WalletDevice[] }) {
  const t = useText()
  const errorMessage = useErrorMessage()
  const { revokeDevice } = useActions()
  const [revoking, setRevoking] = useState<Revoking | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const place = useRef<HTMLUListElement>(null)
  useFocusFallback(place, `${devices.length} ${revoking?.id} ${revoking?.step}`)
  const remove = (id: string) => {
    setFailed(null)
    setRevoking({ id, step: 'removing' })
    revokeDevice(id)
      .catch((thrown: unknown) => {
        const { code, message } = readError(thrown)
        setFailed(errorMessage(code, message))
      })
      .finally(() => setRevoking(null))
  }
  const ordered = [...devices].sort((a, b) => Number(b.isThis) - Number(a.isThis) || b.usedAt - a.usedAt)
  return (
    <>
      <ul ref={place} className={styles.rows} tabIndex={-1}>
        {ordered.map((device) => (
          <li key={device.id}>
            <AskingRow>
              <PlainRow
                icon={
                  <RowGlyph>
                    <DeviceIcon />
                  </RowGlyph>
                }
                title={device.name}
                detail={<LastUsed time={device.usedAt} />}
                trailing={
                  device.isThis ? (
                    <Tag tone="active">{t('security.thisDevice')}</Tag>
                  ) : (
                    <TextButton onPress={() => setRevoking({ id: device.id, step: 'asking' })}>
                      {t('security.remove')}
                    </TextButton>
                  )
                }
              />
              {revoking?.id === device.id && (
                <Question
                  text={t('security.confirmRemove', { device: device.name })}
                  keep={t('security.keep')}
                  onKeep={() => setRevoking(null)}
                  take={t('security.remove')}
                  onTake={() => remove(device.id)}
                  busy={revoking.step === 'removing'}
                />
              )}
            </AskingRow>
          </li>
        ))}
      </ul>
      <p className={styles.failure} role="alert">
        {failed}
      </p>
    </>
  )
}

function LastUsed({ time }: { readonly time: number }) {
  const t = useText()
  const locale = useLocale()
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(time)
  return <>{t('security.used', { date })}</>
}
