import { ButtonLink } from '@postern/ui/button'
import { type TextKey, useText } from '@postern/ui/locales/text'
import columnStyles from '../column.module.css'
import type { InstallLink } from '../wallets/wallet-rows'

const linkTexts: Readonly<Record<InstallLink['kind'], TextKey>> = {
  chrome: 'connecting.chrome',
  apple: 'connecting.apple',
  google: 'connecting.google',
  website: 'connecting.website',
}

export function InstallLinks({ links }: { readonly links: readonly InstallLink[] }) {
  const t = useText()
  if (links.length === 0) return null
  return (
    <ul className={columnStyles.gap2}>
      {links.map(({ kind, href }, index) => (
        <li key={kind}>
          <ButtonLink tone={index === 0 ? 'primary' : 'secondary'} href={href}>
            {t(linkTexts[kind])}
          </ButtonLink>
        </li>
      ))}
    </ul>
  )
}
