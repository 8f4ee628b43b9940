//! The table itself: creating it, and knowing whose layout it has.

use crate::attributes::{Attributes, Item, number};
use crate::fault::{Fault, classify};
use crate::key::Key;
use crate::read::key_item;
use crate::{Store, StoreError};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, KeySchemaElement, KeyType, ScalarAttributeType, TableStatus,
};

/// The layout this version writes. A table with a higher number is left alone.
const LAYOUT: u64 = 1;
const NUMBER: &str = "layout";

impl Store {
    /// Creates the table if it is missing, on demand, and waits until it can be used.
    pub async fn create_table(&self) -> Result<(), StoreError> {
        let broken = |error: aws_sdk_dynamodb::error::BuildError| StoreError::Broken(error.to_string());
        let mut call = self.client.create_table().table_name(&*self.table).billing_mode(BillingMode::PayPerRequest);
        for (name, key_type) in [("pk", KeyType::Hash), ("sk", KeyType::Range)] {
            let key = KeySchemaElement::builder().attribute_name(name).key_type(key_type).build().map_err(broken)?;
            let attribute = AttributeDefinition::builder().attribute_name(name).attribute_type(ScalarAttributeType::S);
            call = call.key_schema(key).attribute_definitions(attribute.build().map_err(broken)?);
        }
        let mut race = self.race();
        while let Err(error) = call.clone().send().await {
            let exists = error
                .as_service_error()
                .is_some_and(aws_sdk_dynamodb::operation::create_table::CreateTableError::is_resource_in_use_exception);
            if exists {
                break;
            }
            match classify(&error) {
                Fault::Final(error) => return Err(error),
                Fault::Passing(why) => race.failed(&why).await?,
            }
        }
        self.wait_until_active().await
    }

    async fn wait_until_active(&self) -> Result<(), StoreError> {
        let mut race = self.race();
        loop {
            let why = match self.client.describe_table().table_name(&*self.table).send().await {
                Ok(answer) if answer.table().and_then(|table| table.table_status()) == Some(&TableStatus::Active) => {
                    return Ok(());
                }
                Ok(_) => "the table is still being created".to_owned(),
                // DescribeTable may not know yet of a table that has just been made.
                Err(error)
                    if error.as_service_error().is_some_and(
                        aws_sdk_dynamodb::operation::describe_table::DescribeTableError::is_resource_not_found_exception,
                    ) =>
                {
                    "the table is not seen yet".to_owned()
                }
                Err(error) => match classify(&error) {
                    Fault::Final(error) => return Err(error),
                    Fault::Passing(why) => why,
                },
            };
            race.failed(&why).await?;
        }
    }

    /// Checks that this version can read the table: one read, which also opens the connection. An empty table has no
    /// layout yet; with `write_if_absent` it gets one.
    pub async fn check_layout(&self, write_if_absent: bool) -> Result<(), StoreError> {
        let Some(item) = self.get(&Key::Layout).await? else {
            return if write_if_absent { self.write_layout().await } else { Ok(()) };
        };
        check(&item)
    }

    async fn write_layout(&self) -> Result<(), StoreError> {
        let mut race = self.race();
        loop {
            let mut item = key_item(&Key::Layout);
            item.insert(NUMBER.to_owned(), number(LAYOUT));
            let call = self.client.put_item().table_name(&*self.table).set_item(Some(item));
            match call.condition_expression("attribute_not_exists(pk)").send().await {
                Ok(_) => return Ok(()),
                Err(error) => {
                    let there = error.as_service_error().is_some_and(
                        aws_sdk_dynamodb::operation::put_item::PutItemError::is_conditional_check_failed_exception,
                    );
                    if there {
                        let item = self.get(&Key::Layout).await?.unwrap_or_default();
                        return check(&item);
                    }
                    match classify(&error) {
                        Fault::Final(error) => return Err(error),
                        Fault::Passing(why) => race.failed(&why).await?,
                    }
                }
            }
        }
    }
}

fn check(item: &Item) -> Result<(), StoreError> {
    let found: u64 = Attributes(item).number(NUMBER)?;
    if found == LAYOUT {
        return Ok(());
    }
    Err(StoreError::Broken(format!("the data have layout {found}, this version of registrar reads layout {LAYOUT}")))
}
