// Confluent's Node client (@confluentinc/schemaregistry) against a running registry: node confluentinc.js URL
// Protobuf goes as base64 of descriptors, with one level of imports: it cannot decode two on any registry.
'use strict'
const { create, createFileRegistry, toJson } = require('@bufbuild/protobuf')
const { FieldDescriptorProto_Label: Label, FieldDescriptorProto_Type: Type, FileDescriptorSetSchema,
  file_google_protobuf_timestamp: timestamp, timestampFromMs } = require('@bufbuild/protobuf/wkt')
const { AvroDeserializer, AvroSerializer, JsonDeserializer, JsonSerializer, ProtobufDeserializer, ProtobufSerializer,
  SchemaRegistryClient, SerdeType } = require('@confluentinc/schemaregistry')
const { version } = require('@confluentinc/schemaregistry/package.json')
const { Checks, address } = require('./checks')

const url = address()
const checks = new Checks()
const { VALUE } = SerdeType
const codes = error => [error.status, error.errorCode]
// Each has nothing in its cache. Without retries, or a refused request would be sent once more.
const registry = () => new SchemaRegistryClient({ baseURLs: [url], maxRetries: 0 })
const latest = { useLatestVersion: true, autoRegisterSchemas: false }
const auto = { autoRegisterSchemas: true }
const avroOf = (...fields) =>
  ({ schemaType: 'AVRO', schema: JSON.stringify({ type: 'record', name: 'Order', namespace: 'shop', fields }) })

const ID = { name: 'id', type: 'long' }
const NOTE = { name: 'note', type: 'string', default: '' }
const TOTAL = { name: 'total', type: 'double' }

async function avro() {
  const subject = 'avro-value'
  const first = await registry().register(subject, avroOf(ID))
  const write = value => new AvroSerializer(registry(), VALUE, latest).serialize('avro', value)
  const read = (data, conf = {}) => new AvroDeserializer(registry(), VALUE, conf).deserialize('avro', data)
  const old = await write({ id: 7 })
  checks.equal({ ...(await read(old)) }, { id: 7 }, 'avro: round trip')
  const second = await registry().registerFullResponse(subject, avroOf(ID, NOTE))
  checks.true(second.id !== first && second.guid, 'avro: evolve: another id, and a guid')
  checks.equal({ ...(await read(old, { useLatestVersion: true })) }, { id: 7, note: '' },
    'avro: old bytes, the latest version as the reader')
  checks.equal(await registry().getAllVersions(subject), [1, 2], 'avro: versions')
  checks.equal(await registry().getId(subject, avroOf(ID)), first, 'avro: lookup of the id')
  checks.equal(await registry().getVersion(subject, avroOf(ID)), 1, 'avro: lookup of the version')
  const found = await registry().getByGuid(second.guid)
  checks.equal(JSON.parse(found.schema), JSON.parse(avroOf(ID, NOTE).schema), 'avro: by guid')
  const bad = avroOf(ID, NOTE, TOTAL)
  checks.equal(await registry().testSubjectCompatibility(subject, bad), false, 'avro: test against the latest, refused')
  checks.equal(await registry().testCompatibility(subject, 1, bad), false, 'avro: test against a version, refused')
  await checks.refused('avro: incompatible', [409, 40901], codes,
    () => registry().register(subject, bad))

  const derived = await new AvroSerializer(registry(), VALUE, auto).serialize('derived', { a: 1 })
  const back = await new AvroDeserializer(registry(), VALUE, {}).deserialize('derived', derived)
  checks.equal({ ...back }, { a: 1 }, 'avro: a schema derived from the value')
}

async function avroReferences() {
  const record = (name, field) => JSON.stringify({ type: 'record', name, namespace: 'shop', fields: [field] })
  const to = (name, subject) => [{ name, subject, version: 1 }]
  await registry().register('street', { schema: record('Street', { name: 'name', type: 'string' }) })
  await registry().register('address', { schema: record('Address', { name: 'street', type: 'shop.Street' }),
    references: to('shop.Street', 'street') })
  await registry().register('customers-value', { schema: record('Customer', { name: 'home', type: 'shop.Address' }),
    references: [...to('shop.Street', 'street'), ...to('shop.Address', 'address')] })
  // It parses the referenced schemas in the order of the list, so the innermost has to stand there, and first.
  const value = { home: { street: { name: 'Quay' } } }
  const data = await new AvroSerializer(registry(), VALUE, latest).serialize('customers', value)
  const back = await new AvroDeserializer(registry(), VALUE, {}).deserialize('customers', data)
  checks.equal(back.home.street.name, 'Quay', 'avro: round trip, references of references')
}

async function errors() {
  await checks.refused('errors: an unknown subject', [404, 40401], codes, () => registry().getLatestSchemaMetadata('no'))
  await checks.refused('errors: an unknown version', [404, 40402], codes,
    () => registry().getSchemaMetadata('avro-value', 99))
  await checks.refused('errors: an unknown id', [404, 40403], codes,
    () => registry().getBySubjectAndId('avro-value', 999999))
  await checks.refused('errors: a lookup in vain', [404, 40403], codes, () => registry().getId('avro-value', avroOf(TOTAL)))
  await checks.refused('errors: not a schema', [422, 42201], codes,
    () => registry().register('x', { schemaType: 'PROTOBUF', schema: 'message {' }))
}

async function configAndDeletes() {
  const client = registry()
  await client.updateCompatibility('config-value', 'FULL')
  checks.equal(await client.getCompatibility('config-value'), 'FULL', 'config: level of a subject')
  checks.equal(await client.getDefaultCompatibility(), 'BACKWARD', 'config: level at the top')
  await client.register('gone-value', avroOf(ID))
  checks.equal(await client.deleteSubject('gone-value'), [1], 'delete: soft')
  checks.equal(await client.deleteSubject('gone-value', true), [1], 'delete: permanent')
  checks.true(!(await client.getAllSubjects()).includes('gone-value'), 'delete: nothing is left')
}

async function json() {
  const closed = (properties, required) =>
    JSON.stringify({ type: 'object', properties, required, additionalProperties: false })
  const register = (subject, schema, references) =>
    registry().register(subject, { schemaType: 'JSON', schema, references })
  const to = (name, subject) => [{ name, subject, version: 1 }]
  await register('json-street', closed({ name: { type: 'string' } }, ['name']))
  await register('json-address', closed({ street: { $ref: 'street.json' } }, ['street']), to('street.json', 'json-street'))
  const home = { $ref: 'address.json' }
  const references = to('address.json', 'json-address')
  await register('json-value', closed({ home }, ['home']), references)

  const checked = { validate: true }
  const write = value => new JsonSerializer(registry(), VALUE, { ...latest, ...checked }).serialize('json', value)
  const read = data => new JsonDeserializer(registry(), VALUE, checked).deserialize('json', data)
  const value = { home: { street: { name: 'Quay' } } }
  checks.equal(await read(await write(value)), value, 'json: round trip, references of references')
  await checks.refused('json: checked two references deep', true, e => /name/.test(e.message),
    () => write({ home: { street: {} } }))
  const note = { type: 'string' }
  await register('json-value', closed({ home, note }, ['home']), references)
  const noted = { ...value, note: 'hi' }
  checks.equal(await read(await write(noted)), noted, 'json: evolve')
  await checks.refused('json: incompatible', [409, 40901], codes,
    () => register('json-value', closed({ home, note }, ['home', 'note']), references))
  const derived = await new JsonSerializer(registry(), VALUE, auto).serialize('json-derived', { a: 1 })
  const back = await new JsonDeserializer(registry(), VALUE, {}).deserialize('json-derived', derived)
  checks.equal(back, { a: 1 }, 'json: a schema derived from the value')
}

// With the JSON name, which protoc always fills in.
const field = (name, number, type, more = {}) =>
  ({ name, jsonName: name, number, type, label: Label.OPTIONAL, ...more })
const message = typeName => ({ type: Type.MESSAGE, typeName })

// The files of an order, as a registry of descriptors; no protoc is needed.
function files(...more) {
  const file = (name, dependency, messageType) => ({ name, package: 'shop', syntax: 'proto3', dependency, messageType })
  const counts = { name: 'CountsEntry', options: { mapEntry: true },
    field: [field('key', 1, Type.STRING), field('value', 2, Type.INT32)] }
  const order = { name: 'Order', nestedType: [counts], field: [
    field('id', 1, Type.INT64),
    field('items', 2, Type.MESSAGE, { ...message('.shop.Item'), label: Label.REPEATED }),
    field('placed', 3, Type.MESSAGE, message('.google.protobuf.Timestamp')),
    field('counts', 4, Type.MESSAGE, { ...message('.shop.Order.CountsEntry'), label: Label.REPEATED }),
    ...more,
  ] }
  const item = { name: 'Item', field: [field('name', 1, Type.STRING), field('cents', 2, Type.INT64)] }
  const set = create(FileDescriptorSetSchema, { file: [
    file('shop/item.proto', [], [item]),
    file('shop/order.proto', ['shop/item.proto', 'google/protobuf/timestamp.proto'], [order]),
  ] })
  return createFileRegistry({ ...set, file: [timestamp.proto, ...set.file] })
}

async function protobuf() {
  const plain = files()
  const kind = plain.getMessage('shop.Order')
  const item = create(plain.getMessage('shop.Item'), { name: 'Tea', cents: 450n })
  const value = { id: 7n, items: [item], placed: timestampFromMs(1700000000000), counts: { a: 1 } }
  const write = (types, more = {}, conf = auto) =>
    new ProtobufSerializer(registry(), VALUE, { ...conf, registry: types })
      .serialize('proto', create(types.getMessage('shop.Order'), { ...value, ...more }))
  const read = data => new ProtobufDeserializer(registry(), VALUE, {}).deserialize('proto', data)
  const wanted = toJson(kind, create(kind, value))

  const data = await write(plain)
  checks.equal(toJson(kind, await read(data)), wanted, 'protobuf: round trip, an import and a well-known one')
  const stored = await registry().getLatestSchemaMetadata('proto-value')
  checks.equal(stored.references, [{ name: 'shop/item.proto', subject: 'shop/item.proto', version: 1 }],
    'protobuf: the reference comes back')
  checks.equal(await write(plain, {}, { autoRegisterSchemas: false }), data, 'protobuf: found by lookup')
  checks.equal(await write(plain, {}, latest), data, 'protobuf: the latest version is used')

  const noted = files(field('note', 5, Type.STRING))
  const back = await read(await write(noted, { note: 'hi' }))
  checks.equal(toJson(noted.getMessage('shop.Order'), back), { ...wanted, note: 'hi' }, 'protobuf: evolve')
  checks.equal(await registry().getAllVersions('proto-value'), [1, 2], 'protobuf: versions')
  await checks.refused('protobuf: incompatible', [409, 40901], codes,
    () => write(files(field('note', 5, Type.FIXED64)), { note: 1n }))
}

async function main() {
  console.log(`@confluentinc/schemaregistry ${version}`)
  await checks.run(avro, avroReferences, errors, configAndDeletes, json, protobuf)
  checks.finish('@confluentinc/schemaregistry')
}

main()
