import type { ReactNode } from 'react'
import { shortAddress } from '../../dapp/account'
import styles from './identity.module.css'
import { pictureOf } from './picture'

type IdentityProps = {
  readonly address: string
  readonly name: string | null
  readonly wallet: string
  readonly children: ReactNode
}

export function Identity({ address, name, wallet, children }: IdentityProps) {
  return (
    <div className={styles.identity}>
      <svg className={styles.picture} viewBox="0 0 56 56" aria-hidden="true">
        {pictureOf(address).map(({ fill, path }) => (
          <path key={path} d={path} fill={fill} />
        ))}
      </svg>
      <div className={styles.who}>
        <p className={styles.name}>{name ?? shortAddress(address)}</p>
        <p className={styles.address} title={address}>
          {name === null ? wallet : `${shortAddress(address)} · ${wallet}`}
        </p>
      </div>
      <p className={styles.balances}>{children}</p>
    </div>
  )
}

/** With at most four decimals, rounded down. */
export function amountText(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.')
  const shown = fraction.slice(0, 4).replace(/0+$/, '')
  return `${Number(whole).toLocaleString('en')}${shown === '' ? '' : `.${shown}`}`
}
