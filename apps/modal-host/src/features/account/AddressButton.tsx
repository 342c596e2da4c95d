import { shortAddress } from '@postern/chains/text'
import type { Account, AccountType } from '@postern/protocol'
import { useCopy } from '@postern/ui/copy'
import { type TextKey, useText } from '@postern/ui/locales/text'
import { Status, Unseen } from '@postern/ui/unseen'
import { CheckIcon, CopyIcon } from '@postern/ui/view-icons'
import { useIdentity } from '../identity/use-identity'
import styles from './AddressButton.module.css'

const kinds: Readonly<Partial<Record<AccountType, TextKey>>> = {
  payment: 'account.payments',
  ordinals: 'account.ordinals',
}

type AddressButtonProps = {
  readonly account: Account
  readonly hasName: boolean
}

/** Shortened visually, complete for screen readers and on hover. */
export function AddressButton({ account: { address, type }, hasName }: AddressButtonProps) {
  const t = useText()
  const { copied, copy } = useCopy(t('copyFailed'))
  const kind = hasName ? kinds[type] : undefined
  const { name } = useIdentity(address)
  return (
    <>
      <button type="button" className={styles.address} title={address} onClick={() => copy(address)}>
        {kind !== undefined && <span className={styles.kind}>{t(kind)}</span>}
        <Unseen>
          {t('account.address', { address })}. {t('copy')}
        </Unseen>
        <span className={styles.words}>
          {name !== null && (
            <bdi className={styles.name} title={name}>
              {name}
            </bdi>
          )}
          <bdi aria-hidden="true" className={name === null ? undefined : styles.under}>
            {shortAddress(address)}
          </bdi>
        </span>
        {copied ? <CheckIcon small className={styles.done} /> : <CopyIcon small className={styles.copy} />}
      </button>
      <Status>{copied ? t('copied') : ''}</Status>
    </>
  )
}
