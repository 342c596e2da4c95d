import { useText } from '../../locales/text'
import { Fact, Facts } from '../../ui/facts'
import { useOwnNames } from './own-names'

/** What the account is called already; nothing where it has no name. */
export function OwnNames({ address }: { readonly address: string }) {
  const t = useText()
  const names = useOwnNames(address)
  if (names.length === 0) return null
  return (
    <Facts>
      <Fact name={t('names.own', { count: names.length })} tall>
        {names.map((name) => (
          <div key={name}>
            <bdi>{name}</bdi>
          </div>
        ))}
      </Fact>
    </Facts>
  )
}
