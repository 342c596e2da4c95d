import { TextButton } from '@postern/ui/button'
import { useLocale, useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { useEffect, useState } from 'react'
import { useErrorMessage } from '../error-message'
import { useActions, useSnapshot } from '../host-context'
import { readError } from '../read-error'

/** The newest recovery on another device, which this user may not have made. Looks for one whenever the modal opens here. */
export function RecoveryNotice() {
  const t = useText()
  const locale = useLocale()
  const errorMessage = useErrorMessage()
  const { refreshSecurity, revokeDevice, seeRecoveries } = useActions()
  const recovery = useSnapshot((snapshot) => snapshot.embedded?.security?.recoveries[0])
  const [isRemoving, setIsRemoving] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)
  const opening = useSnapshot((snapshot) => (snapshot.open ? snapshot.opening.key : null))
  useEffect(() => {
    if (opening !== null) refreshSecurity()
  }, [opening, refreshSecurity])
  if (recovery === undefined) return null
  const { deviceId, at, opensAt } = recovery
  const state = opensAt === null ? 'open' : 'waiting'
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(opensAt ?? at)
  const remove = () => {
    if (isRemoving) return
    setFailed(null)
    setIsRemoving(true)
    revokeDevice(deviceId)
      .catch((thrown: unknown) => {
        const { code, message } = readError(thrown)
        setFailed(errorMessage(code, message))
      })
      .finally(() => setIsRemoving(false))
  }
  return (
    <Notice
      tone={opensAt === null ? 'warn' : 'bad'}
      title={t('recovered.title', { state })}
      text={failed ?? t('recovered.text', { state, time })}
    >
      <TextButton onPress={remove}>{t('recovered.notMe')}</TextButton>
      <TextButton onPress={() => seeRecoveries(at)}>{t('recovered.me')}</TextButton>
    </Notice>
  )
}
