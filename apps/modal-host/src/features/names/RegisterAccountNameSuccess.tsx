import { isSameAddress } from '@postern/chains/same-address'
import { shortAddress } from '@postern/chains/text'
import { Button, ButtonPair } from '@postern/ui/button'
import { useCopy } from '@postern/ui/copy'
import { Identicon } from '@postern/ui/identicon'
import { useText } from '@postern/ui/locales/text'
import { Status } from '@postern/ui/unseen'
import { CheckIcon, CopyIcon } from '@postern/ui/view-icons'
import { useEffect, useState } from 'react'
import { useHost, useSnapshot } from '../../view-kit/host-context'
import { useNavigation, useRedirect } from '../../view-kit/navigation'
import { evmAddress } from './evm-account'
import { nameFormOf, resetForm } from './name-form'
import styles from './register-name.module.css'

export default function RegisterAccountNameSuccess() {
  const t = useText()
  const owner = useSnapshot(evmAddress)
  const host = useHost()
  const [form] = useState(() => nameFormOf(host, owner))
  const { reset } = useNavigation()
  const { copied, copy } = useCopy(t('names.copyFailed'))
  // Keeps the result: the form is reset below.
  const [{ attempt }] = useState(() => form.getState())
  useEffect(() => resetForm(form), [form])
  // Leaves after a wallet prompt or an account change.
  const isTheirs = attempt.kind === 'done' && owner !== null && isSameAddress(attempt.address, owner)
  useRedirect(isTheirs ? null : 'Account')
  if (!isTheirs) return null
  const { name, address } = attempt
  return (
    <div className={styles.form}>
      <div className={styles.preview}>
        <span className={styles.yours}>
          <Identicon address={address} />
          <span className={styles.badge}>
            <CheckIcon small className={styles.tick} />
          </span>
        </span>
        <p className={styles.name} data-long={name.length > 24 || undefined}>
          <bdi>{name}</bdi>
        </p>
        <p className={styles.address} title={address}>
          <bdi>{shortAddress(address)}</bdi>
        </p>
      </div>
      <p className={styles.note} role="status">
        {t('names.done')}
      </p>
      <ButtonPair>
        <Button tone="secondary" onPress={() => copy(name)}>
          {copied ? <CheckIcon small /> : <CopyIcon small />}
          {copied ? t('names.copied') : t('names.copy')}
        </Button>
        <Button tone="primary" onPress={() => reset('Account')}>
          {t('done')}
        </Button>
      </ButtonPair>
      <Status>{copied ? t('names.copied') : ''}</Status>
    </div>
  )
}
