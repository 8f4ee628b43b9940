// Rules and contexts of Confluent's Node client (@confluentinc/schemaregistry) against a running registry: node rules.js URL
// The rules run in the client; the registry keeps them and finds versions by their metadata.
'use strict'
const { AvroDeserializer, AvroSerializer, CelExecutor, CelFieldExecutor, JsonataExecutor, JsonDeserializer, JsonSerializer,
  RuleMode, SchemaRegistryClient, SerdeType } = require('@confluentinc/schemaregistry')
const { version } = require('@confluentinc/schemaregistry/package.json')
const { Checks, address } = require('./checks')

const url = address()
const checks = new Checks()
const { VALUE } = SerdeType
const latest = { useLatestVersion: true, autoRegisterSchemas: false }
// Each has nothing in its cache. Without retries, or a refused request would be sent once more.
const registry = (path = '') => new SchemaRegistryClient({ baseURLs: [url + path], maxRetries: 0 })
const condition = (name, expr, more = {}) => ({ name, kind: 'CONDITION', mode: RuleMode.WRITE, type: 'CEL', expr, ...more })
const transform = (name, expr, more = {}) =>
  ({ name, kind: 'TRANSFORM', mode: RuleMode.WRITE, type: 'CEL_FIELD', expr, ...more })
const record = (...fields) => JSON.stringify({ type: 'record', name: 'R', namespace: 'shop', fields })
const string = (name, more = {}) => ({ name, type: 'string', ...more })

const write = (topic, value, conf = latest, path = '') =>
  new AvroSerializer(registry(path), VALUE, conf).serialize(topic, value)
const read = async (topic, data, conf = {}, path = '') =>
  ({ ...(await new AvroDeserializer(registry(path), VALUE, conf).deserialize(topic, data)) })

async function cel() {
  const schema = record(string('site'), { name: 'size', type: 'int' })
  const domainRules = [condition('notEmpty', 'message.size > 0'), transform('mark', "typeName == 'STRING' ; value + '!'")]
  await registry().register('js-cel-value', { schemaType: 'AVRO', schema, ruleSet: { domainRules } })
  const found = await registry().getLatestSchemaMetadata('js-cel-value')
  checks.equal(found.ruleSet.domainRules.map(({ name, kind, mode, type, expr }) => ({ name, kind, mode, type, expr })),
    domainRules, 'cel: rules come back as they were given')
  const data = await write('js-cel', { site: 'here', size: 2 })
  checks.equal(await read('js-cel', data), { site: 'here!', size: 2 }, 'cel: fields are transformed')
  await checks.refused('cel: a value that breaks a condition', true, e => /rule/i.test(e.message),
    () => write('js-cel', { site: 'here', size: 0 }))
}

async function tags() {
  const schema = record(string('name', { 'confluent:tags': ['PII'] }), string('town'), string('phone'))
  const metadata = { tags: { 'shop.R.phone': ['PII'] } }
  const ruleSet = { domainRules: [transform('mask', "'***'", { tags: ['PII'] })] }
  await registry().register('js-tags-value', { schemaType: 'AVRO', schema, metadata, ruleSet })
  const data = await write('js-tags', { name: 'Ada', town: 'Ely', phone: '1815' })
  checks.equal(await read('js-tags', data), { name: '***', town: 'Ely', phone: '***' }, 'tags: only tagged fields are masked')
}

async function json() {
  const schema = JSON.stringify({ type: 'object', properties: { name: { type: 'string' }, age: { type: 'integer' } } })
  const ruleSet = { domainRules: [condition('adult', 'message.age >= 18')] }
  await registry().register('js-json-value', { schemaType: 'JSON', schema, ruleSet })
  const serializer = () => new JsonSerializer(registry(), VALUE, latest)
  const data = await serializer().serialize('js-json', { name: 'Ada', age: 36 })
  const back = await new JsonDeserializer(registry(), VALUE, {}).deserialize('js-json', data)
  checks.equal(back, { name: 'Ada', age: 36 }, 'json: a condition that holds')
  await checks.refused('json: a condition that does not', true, e => /rule/i.test(e.message),
    () => serializer().serialize('js-json', { name: 'Ada', age: 9 }))
}

async function migration() {
  const subject = 'js-migration-value'
  const client = registry()
  await client.updateConfig(subject, { compatibilityGroup: 'generation' })
  const generation = (number, field, upgrade, downgrade) => {
    const rule = (mode, expr) => ({ name: mode.toLowerCase(), kind: 'TRANSFORM', mode, type: 'JSONATA', expr })
    const migrationRules = upgrade ? [rule(RuleMode.UPGRADE, upgrade), rule(RuleMode.DOWNGRADE, downgrade)] : []
    return client.register(subject, { schemaType: 'AVRO', schema: record(string(field)),
      metadata: { properties: { generation: number } }, ruleSet: { migrationRules } })
  }
  await generation('1', 'a')
  await generation('2', 'b', '{"b": a}', '{"a": b}')
  await generation('3', 'c', '{"c": b}', '{"b": c}')
  const values = { 1: { a: 'x' }, 2: { b: 'x' }, 3: { c: 'x' } }
  const at = generation => ({ useLatestWithMetadata: { generation } })
  for (const [wrote, value] of Object.entries(values)) {
    const data = await write('js-migration', value, { autoRegisterSchemas: false, ...at(wrote) })
    for (const [reads, wanted] of Object.entries(values)) {
      checks.equal(await read('js-migration', data, at(reads)), wanted, `migration: written by ${wrote}, read by ${reads}`)
    }
  }
  const found = await registry().getLatestWithMetadata(subject, { generation: '2' })
  checks.equal([found.version, found.metadata], [2, { properties: { generation: '2' } }], 'migration: latest with metadata')
}

async function contexts() {
  const path = '/contexts/.js'
  const outside = record(string('outside'))
  await registry().register('js-ctx-value', { schemaType: 'AVRO', schema: outside })
  const ruleSet = { domainRules: [transform('mark', "value + '!'")] }
  const id = await registry(path).register('js-ctx-value', { schemaType: 'AVRO', schema: record(string('a')), ruleSet })
  checks.equal(id, 1, 'contexts: ids of its own')
  checks.equal(await registry(path).getAllSubjects(), [':.js:js-ctx-value'], 'contexts: only its own subjects are listed')
  checks.equal((await registry(path).getBySubjectAndId('js-ctx-value', 1)).schema, record(string('a')), 'contexts: by id')
  await registry(path).updateCompatibility('js-ctx-value', 'NONE')
  checks.equal(await registry(path).getCompatibility('js-ctx-value'), 'NONE', 'contexts: level of a subject')
  const data = await write('js-ctx', { a: 'x' }, latest, path)
  checks.equal(await read('js-ctx', data, {}, path), { a: 'x!' }, 'contexts: round trip with a rule')
  const found = await registry().getLatestSchemaMetadata(':.js:js-ctx-value')
  checks.equal([found.id, found.version], [1, 1], 'contexts: seen from outside')
  checks.equal((await registry().getLatestSchemaMetadata('js-ctx-value')).schema, outside, 'contexts: another one outside')
}

async function main() {
  console.log(`@confluentinc/schemaregistry ${version}, rules and contexts`)
  for (const executor of [CelExecutor, CelFieldExecutor, JsonataExecutor]) executor.register()
  await checks.run(cel, tags, json, migration, contexts)
  checks.finish('@confluentinc/schemaregistry, rules and contexts')
}

main()
