/** `npm run spec-tests`: writes the list of tests by section of the specification. */
import { writeFileSync } from 'node:fs'
import { specTests, specTestsPage } from './lib/spec-tests'

writeFileSync(specTestsPage, specTests())
